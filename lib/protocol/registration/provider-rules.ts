/** The fields of an identity provider that depend on its preset: their schemas, their rules, and their defaults. */
import { z } from 'zod'
import { reservedClaims } from '../claims.ts'
import { isLoopbackHost } from '../text/addresses.ts'
import type { Reauthentication } from '../vocabulary.ts'
import { openidScope, scopeWords } from '../wire/scopes.ts'
import { described } from './fields.ts'
import {
  type PresetField,
  type PresetName,
  presetNames,
  providerPresets,
  type SecretMethod,
  secretMethods,
} from './provider-presets.ts'

const group = 'At the provider'

function endpointSchema(label: string, help: string) {
  const schema = z
    .string()
    .max(2000)
    .refine(isEndpoint, 'must be an https address without fragment (http for loopback addresses only)')
  return described(schema.nullable().default(null), { group, label, help })
}

/** The fields that only some presets have, and the preset itself. */
export const presetFields = {
  preset: described(z.enum(presetNames).default('openid_connect'), {
    label: 'Kind',
    help: 'The provider, or openid_connect or oauth2 for any other. Gives the fields that are left out their values.',
    choices: Object.fromEntries(presetNames.map(name => [name, providerPresets[name].name])),
  }),
  authorization_endpoint: endpointSchema(
    'Authorization endpoint',
    'The address to which users are sent. Only with oauth2.',
  ),
  token_endpoint: endpointSchema('Token endpoint', 'The address that redeems the code. Only with oauth2.'),
  userinfo_endpoint: endpointSchema(
    'Userinfo endpoint',
    'The address that returns the user as JSON for the access token. Only with oauth2.',
  ),
  client_authentication: described(z.enum(secretMethods).nullable().default(null), {
    group,
    label: 'Client authentication',
    help: 'How the client secret is sent. Only with oauth2.',
    absent: 'In the body',
    choices: { client_secret_post: 'In the body', client_secret_basic: 'As HTTP Basic' },
  }),
  claim_names: described(
    z
      .record(
        z.string().min(1).max(100),
        z
          .string()
          .regex(/^[^.\s]{1,100}(?:\.[^.\s]{1,100}){0,4}$/, 'must be a name such as "id" or "profile.name"'),
      )
      .default({}),
    {
      group,
      label: 'Claim names',
      help: 'Where each claim is in the response of the userinfo endpoint, such as {"sub": "id", "name": "profile.name"}. The standard claims that are not listed are read under their own names. sub must never change for a user, nor be given to another. Only with oauth2.',
    },
  ),
  pkce: described(z.boolean().default(true), {
    group,
    label: 'PKCE',
    help: 'Whether requests have a code challenge. Turn it off only if the provider refuses it. Only with oauth2.',
  }),
  tenants: described(z.array(z.string().min(1).max(255)).max(200).default([]), {
    group,
    label: 'Organizations',
    help: 'Only accounts of these can sign in; without any, every account there. Microsoft: directory (tenant) IDs. Google: domains of Google Workspace.',
  }),
  team_id: described(
    z
      .string()
      .regex(/^[A-Z0-9]{10}$/, 'must be the 10 letters and digits of the team')
      .nullable()
      .default(null),
    {
      group,
      label: 'Team ID',
      help: 'The ID of the team, at the top right of the Apple developer account.',
    },
  ),
  key_id: described(
    z
      .string()
      .regex(/^[A-Z0-9]{10}$/, 'must be the 10 letters and digits of the key')
      .nullable()
      .default(null),
    { group, label: 'Key ID', help: 'The ID of the key of the .p8 file from Apple.' },
  ),
} as const

/** The fields that the rules read; a field that is invalid is left out. */
export type PresetSettings = {
  readonly preset?: PresetName | undefined
  readonly issuer?: string | undefined
  readonly scope?: string | undefined
  readonly reauthentication?: Reauthentication | undefined
  readonly authorization_endpoint?: string | null | undefined
  readonly token_endpoint?: string | null | undefined
  readonly userinfo_endpoint?: string | null | undefined
  readonly client_authentication?: SecretMethod | null | undefined
  readonly claim_names?: Readonly<Record<string, string>> | undefined
  readonly pkce?: boolean | undefined
  readonly tenants?: readonly string[] | undefined
  readonly team_id?: string | null | undefined
  readonly key_id?: string | null | undefined
}

export type PresetReport = (path: readonly (string | number)[], message: string) => void

/** Reports what contradicts the preset, at its field. */
export function checkPreset(settings: PresetSettings, report: PresetReport): void {
  const name = settings.preset ?? 'openid_connect'
  const { protocol, fields } = providerPresets[name]
  for (const field of Object.keys(presetFields).filter(isPresetField)) {
    if (!fields.includes(field) && isSet(settings, field)) report([field], `is not used with "${name}"`)
  }
  for (const field of requiredFields) {
    if (fields.includes(field) && !isSet(settings, field)) report([field], 'is missing')
  }
  if (issuerOf(settings) === null && protocol === 'openid') report(['issuer'], 'is missing')
  if (protocol === 'openid' && !scopeWords(scopeOf(settings)).includes(openidScope))
    report(['scope'], 'must contain openid')
  if (protocol === 'oauth2' && settings.reauthentication === 'auth_time')
    report(
      ['reauthentication'],
      'must be "prompt" or "select_account": without ID tokens there is no auth_time',
    )
  for (const claim of Object.keys(settings.claim_names ?? {}))
    if (claim !== 'sub' && reservedClaims.has(claim)) report(['claim_names', claim], 'is set by this server')
  checkTenants(settings, name, report)
}

const requiredFields = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'team_id',
  'key_id',
] as const

function isPresetField(name: string): name is PresetField {
  return name in presetFields && name !== 'preset'
}

function isSet(settings: PresetSettings, field: PresetField): boolean {
  const value = settings[field]
  if (field === 'pkce') return value === false
  return value !== undefined && value !== null && Object.keys(value).length > 0
}

const tenantForms = {
  tid: { form: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, message: 'must be a directory (tenant) ID' },
  hd: { form: /^(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/i, message: 'must be a domain such as "example.com"' },
} as const

function checkTenants(
  { tenants = [], issuer }: PresetSettings,
  name: PresetName,
  report: PresetReport,
): void {
  const { tenantClaim } = providerPresets[name]
  if (tenantClaim === null) return
  const { form, message } = tenantForms[tenantClaim]
  for (const [index, tenant] of tenants.entries()) {
    if (!form.test(tenant)) report(['tenants', index], message)
  }
  if (name === 'microsoft' && issuer !== undefined && !microsoftIssuer.test(issuer))
    report(
      ['issuer'],
      'must end with /<tenant>/v2.0, such as https://login.microsoftonline.com/organizations/v2.0',
    )
}

const microsoftIssuer = /^https?:\/\/[^/]+\/[^/]+\/v2\.0$/

/** Returns the values of a provider, with those of its preset where the document gives none. */
export function withPresetDefaults(settings: PresetSettings) {
  const { reauthentication } = providerPresets[settings.preset ?? 'openid_connect']
  return {
    issuer: issuerOf(settings) ?? '',
    scope: scopeWords(scopeOf(settings)).join(' '),
    reauthentication: settings.reauthentication ?? reauthentication,
    tenants: [...new Set((settings.tenants ?? []).map(tenant => tenant.toLowerCase()))],
  }
}

function scopeOf({ scope, preset = 'openid_connect' }: PresetSettings): string {
  return scope ?? providerPresets[preset].scope
}

/**
 * Returns the issuer, which is a part of the key of each account: as given, of the preset, or for OAuth 2.0 the origin of the
 * endpoint that identifies users; `null` if there is none.
 */
function issuerOf({
  issuer,
  preset = 'openid_connect',
  tenants = [],
  ...settings
}: PresetSettings): string | null {
  if (issuer !== undefined) return issuer
  const [tenant] = tenants
  // Microsoft refuses an app of one tenant at the address for all organizations
  if (preset === 'microsoft' && tenant !== undefined && tenants.length === 1)
    return `https://login.microsoftonline.com/${tenant.toLowerCase()}/v2.0`
  const userinfo = URL.parse(settings.userinfo_endpoint ?? '')
  return providerPresets[preset].issuer ?? userinfo?.origin ?? null
}

type PresetSecret = { readonly preset: PresetName; readonly client_secret?: string | null | undefined }

/** Reports a secret that cannot be the one of its preset. */
export function checkPresetSecret(
  { preset, client_secret: secret = null }: PresetSecret,
  report: PresetReport,
): void {
  if (!providerPresets[preset].hasSigningKey) return
  if (secret === null) report(['client_secret'], 'is missing: the content of the .p8 file')
  else if (signingKeyBytes(secret) === null)
    report(['client_secret'], 'must be the content of the .p8 file: a private key for ES256')
}

/** The object identifier of the curve P-256 in DER (RFC 5480 2.1.1.1). */
const p256 = Buffer.from('06082a8648ce3d030107', 'hex')

/**
 * Returns the bytes of a private key for ES256 in PKCS #8 (RFC 5958), with or without line breaks and the lines around it; `null`
 * for a text that does not have this form.
 */
export function signingKeyBytes(secret: string): Buffer | null {
  const content = secret.replaceAll(/-----(?:BEGIN|END) PRIVATE KEY-----|\s/g, '')
  if (!/^[A-Za-z0-9+/]{100,}={0,2}$/.test(content)) return null
  const bytes = Buffer.from(content, 'base64')
  return bytes.includes(p256) ? bytes : null
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || /[#\s]/.test(text) || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
}
