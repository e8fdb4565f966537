import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Consent, IdentityProvider } from '#lib/ports/grants.ts'
import type { PendingRequest, Session } from '#lib/ports/sessions.ts'
import { type AcrValues, parseAcrValues } from '#lib/protocol/acr-values.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { ClientMetadata } from '#lib/protocol/client-metadata.ts'
import {
  type Digest,
  providerSchemeSchema,
  scopeNameSchema,
  sessionIdSchema,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import { testClient } from '../test-registrations.ts'
import { decide } from './decide.ts'
import { openProviders } from './open-providers.ts'
import type { SubjectHint } from './situation.ts'
import type { ValidAuthorizeRequest } from './valid-request.ts'

const arrival = new Date('2026-03-01T12:00:00Z')
const before = (seconds: number) => new Date(arrival.getTime() - seconds * 1000)
const after = (seconds: number) => new Date(arrival.getTime() + seconds * 1000)
const digest = (value: string) => value as Digest
const alice = subjectIdSchema.parse('alice')
const bob = subjectIdSchema.parse('bob')
const names = (text: string) => text.split(' ').map(name => scopeNameSchema.parse(name))

const request: ValidAuthorizeRequest = {
  clientId: testClient().clientId,
  redirectUri: 'https://app.example/callback',
  responseType: 'code',
  responseMode: 'query',
  state: null,
  scopes: names('openid api'),
  nonce: null,
  proofKey: null,
  prompts: [],
  maxAgeSeconds: null,
  loginHint: null,
  idTokenHint: null,
  uiLocales: [],
  acrValues: parseAcrValues(''),
}

const session: Session = {
  digest: digest('s'),
  sessionId: sessionIdSchema.parse('s'.repeat(22)),
  subject: alice,
  name: 'Alice',
  idp: 'latchkey',
  amr: ['pwd'],
  acr: null,
  authenticatedAt: before(600),
  isPersistent: false,
  createdAt: before(600),
  lastSeenAt: before(1),
  expiresAt: after(36_000),
  userAgent: null,
  address: null,
}

const pending: PendingRequest = {
  digest: digest('p'),
  browser: digest('b'),
  parameters: {},
  createdAt: arrival,
  expiresAt: after(3600),
  finishedAt: null,
  chosenSubject: null,
  consent: null,
}

const fresh: Session = { ...session, authenticatedAt: after(5) }

function provider(scheme: string, enabled = true): IdentityProvider {
  const parsed = providerSchemeSchema.parse(scheme)
  const issuer = `https://${scheme}.example`
  return {
    scheme: parsed,
    displayName: scheme,
    issuer,
    clientId: 'us',
    clientSecret: null,
    domains: [],
    enabled,
  }
}

type Case = {
  readonly request?: Partial<ValidAuthorizeRequest>
  readonly client?: Partial<ClientMetadata>
  readonly session?: Session | null
  readonly hint?: SubjectHint
  readonly providers?: readonly IdentityProvider[]
  readonly remembered?: Consent
  readonly pending?: PendingRequest
}

function situation(given: Case) {
  const client: Client = testClient(given.client)
  return {
    request: { ...request, ...given.request },
    client,
    session: given.session === undefined ? session : given.session,
    hint: given.hint ?? ({ kind: 'absent' } as const),
    providers: openProviders(client, given.providers ?? []),
    remembered: given.remembered ?? null,
    pending: given.pending ?? null,
    now: after(10),
  }
}

/** The step in one line: `issue openid api`, `ask login not_signed_in`, `refuse login_required not_signed_in`. */
function stepOf(given: Case): string {
  const step = decide(situation(given))
  if (step.kind === 'issue') return `issue ${step.scopes.join(' ')}`
  if (step.kind === 'ask') return `ask ${step.at} ${step.reason}`
  if (step.kind === 'forward') return `forward ${step.scheme} ${step.reason}`
  return `refuse ${step.code} ${step.reason}`
}

function check(rows: ReadonlyArray<readonly [Case, string]>): void {
  for (const [given, expected] of rows) assert.equal(stepOf(given), expected)
}

const idp = (name: string): AcrValues => parseAcrValues(`idp:${name}`)
const silent = { prompts: ['none'] } as const

test('issues at once for a session that satisfies the request', () => {
  check([[{}, 'issue openid api']])
})

test('AZ-16 prompt=none never asks: each reason becomes its error', () => {
  const consenting = { require_consent: true }
  check([
    [{ request: silent }, 'issue openid api'],
    [{ request: silent, session: null }, 'refuse login_required not_signed_in'],
    [{ request: { ...silent, maxAgeSeconds: 60 } }, 'refuse login_required max_age_exceeded'],
    [{ request: silent, client: consenting }, 'refuse consent_required consent_needed'],
    [
      { request: silent, client: { enable_local_login: false }, providers: [provider('corp')] },
      'refuse interaction_required local_login_not_open_to_client',
    ],
    [
      { request: { ...silent, acrValues: idp('corp') }, providers: [provider('corp')] },
      'refuse login_required requested_provider_differs',
    ],
    [
      { request: silent, hint: { kind: 'subject', subject: 'bob' } },
      'refuse login_required hint_names_another',
    ],
    [{ request: silent, hint: { kind: 'unreadable' } }, 'refuse login_required hint_names_another'],
    [{ request: silent, hint: { kind: 'subject', subject: 'alice' } }, 'issue openid api'],
  ])
})

test('AZ-17 prompt=login is satisfied only by a sign-in since the request', () => {
  const login = { prompts: ['login'] } as const
  check([
    [{ request: login }, 'ask login prompt_login'],
    [{ request: login, pending }, 'ask login prompt_login'],
    [{ request: login, pending, session: null }, 'ask login not_signed_in'],
    [{ request: login, pending, session: fresh }, 'issue openid api'],
  ])
})

test('AZ-18 max_age asks when the sign-in is older, and zero always', () => {
  check([
    [{ request: { maxAgeSeconds: 611 } }, 'issue openid api'],
    [{ request: { maxAgeSeconds: 609 } }, 'ask login max_age_exceeded'],
    [{ request: { maxAgeSeconds: 0 } }, 'ask login max_age_exceeded'],
    [{ request: { maxAgeSeconds: 0 }, pending }, 'ask login max_age_exceeded'],
    [{ request: { maxAgeSeconds: 0 }, pending, session: fresh }, 'issue openid api'],
    [{ request: { maxAgeSeconds: 1 }, pending, session: fresh }, 'issue openid api'],
  ])
})

test('select_account is satisfied by a choice or by a new sign-in', () => {
  const select = { prompts: ['select_account'] } as const
  check([
    [{ request: select }, 'ask select_account prompt_select_account'],
    [{ request: select, session: null }, 'ask login not_signed_in'],
    [
      { request: select, pending: { ...pending, chosenSubject: bob } },
      'ask select_account prompt_select_account',
    ],
    [{ request: select, pending: { ...pending, chosenSubject: alice } }, 'issue openid api'],
    [{ request: select, pending, session: fresh }, 'issue openid api'],
  ])
})

test('AZ-20 idp: reaches only providers that are enabled and allowed for the client', () => {
  const corp = provider('corp')
  const asked = { request: { acrValues: idp('corp') }, session: null }
  check([
    [{ ...asked, providers: [corp] }, 'forward corp not_signed_in'],
    [{ ...asked, providers: [provider('corp', false)] }, 'ask login not_signed_in'],
    [
      {
        ...asked,
        providers: [corp],
        client: { identity_provider_restrictions: [providerSchemeSchema.parse('other')] },
      },
      'ask login not_signed_in',
    ],
    [{ request: { acrValues: idp('corp') }, providers: [corp] }, 'forward corp requested_provider_differs'],
    [
      { request: { acrValues: idp('corp') }, providers: [corp], session: { ...session, idp: 'corp' } },
      'issue openid api',
    ],
    [
      { request: { acrValues: idp('latchkey') }, providers: [corp], session: { ...session, idp: 'corp' } },
      'ask login requested_provider_differs',
    ],
  ])
})

test('a client without local sign-in sends people to its providers', () => {
  const client = { enable_local_login: false }
  const [corp, uni] = [provider('corp'), provider('uni')]
  check([
    [{ client, session: null, providers: [corp] }, 'forward corp not_signed_in'],
    [{ client, session: null, providers: [corp, uni] }, 'ask providers not_signed_in'],
    [{ client, session: null }, 'refuse access_denied no_way_to_sign_in'],
    [{ client, providers: [corp] }, 'forward corp local_login_not_open_to_client'],
    [{ client, session: { ...session, idp: 'corp' }, providers: [corp] }, 'issue openid api'],
  ])
})

test('FD-06 a session from a provider that is not open to the client signs in again', () => {
  const session1 = { ...session, idp: 'corp' }
  check([
    [{ session: session1, providers: [provider('corp', false)] }, 'ask login provider_not_open_to_client'],
    [{ session: session1, providers: [provider('corp')] }, 'issue openid api'],
  ])
})

test('a hint that names another person asks for a sign-in once, then refuses', () => {
  const hint = { kind: 'subject', subject: 'bob' } as const
  check([
    [{ hint }, 'ask login hint_names_another'],
    [{ hint, pending, session: fresh }, 'refuse login_required hint_names_another'],
    [{ hint: { kind: 'unreadable' } }, 'issue openid api'],
  ])
})

const remembered = (scopes: string): Consent => ({
  subject: alice,
  clientId: request.clientId,
  scopes: names(scopes),
  createdAt: before(1000),
  updatedAt: before(1000),
  expiresAt: null,
})

test('CN-02 remembered consent covers only a subset of what was granted', () => {
  const client = { require_consent: true }
  check([
    [{ client }, 'ask consent consent_needed'],
    [{ client, remembered: remembered('openid api profile') }, 'issue openid api'],
    [{ client, remembered: remembered('openid') }, 'ask consent consent_needed'],
    [
      { client: { ...client, allow_remember_consent: false }, remembered: remembered('openid api') },
      'ask consent consent_needed',
    ],
    [
      {
        client,
        request: { scopes: names('openid offline_access') },
        remembered: remembered('openid offline_access'),
      },
      'issue openid offline_access',
    ],
  ])
})

test('CN-03 a public client is remembered silently only at an https address', () => {
  const client = { require_consent: true, token_endpoint_auth_method: 'none', pkce: 'required' } as const
  const given = remembered('openid api')
  check([
    [{ client, remembered: given }, 'issue openid api'],
    [
      { client, remembered: given, request: { redirectUri: 'com.example.app:/cb' } },
      'ask consent consent_needed',
    ],
    [
      { client, remembered: given, request: { redirectUri: 'http://127.0.0.1/cb' } },
      'ask consent consent_needed',
    ],
  ])
})

test('CN-10 prompt=consent asks even where no consent is needed', () => {
  const consent = { prompts: ['consent'] } as const
  check([
    [{ request: consent }, 'ask consent prompt_consent'],
    [
      { request: consent, client: { require_consent: true }, remembered: remembered('openid api') },
      'ask consent prompt_consent',
    ],
  ])
})

test('CN-01 an answer counts only for the person who gave it', () => {
  const client = { require_consent: true }
  const answered = (subject: typeof alice, decision: 'allow' | 'deny', scopes: string): PendingRequest => ({
    ...pending,
    consent: { subject, decision, scopes: names(scopes), remember: false },
  })
  check([
    [{ client, pending: answered(alice, 'allow', 'openid') }, 'issue openid'],
    [{ client, pending: answered(alice, 'allow', 'openid api.write') }, 'issue openid'],
    [{ client, pending: answered(bob, 'allow', 'openid api') }, 'ask consent consent_needed'],
    [{ client, pending: answered(alice, 'deny', 'openid') }, 'refuse access_denied consent_denied'],
    [{ client, pending: answered(bob, 'deny', 'openid') }, 'ask consent consent_needed'],
  ])
})
