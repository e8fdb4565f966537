/** A complete sign-in with the test provider, for tests. */

import assert from 'node:assert/strict'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { IdentityProvider, Upstream, UpstreamRequest } from '#lib/ports/upstream.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import {
  noPresetValues,
  type PresetName,
  providerPresets,
} from '#lib/protocol/registration/provider-presets.ts'
import { type Faults, type TestProvider, testProviderClient } from './provider.ts'

export const request: UpstreamRequest = {
  redirectUri: 'http://127.0.0.1:3000/login/external/partner/callback',
  state: 'ext_state',
  nonce: 'nonce-1',
  codeVerifier: 'v'.repeat(44),
  loginHint: null,
  uiLocales: null,
  forceLogin: false,
  maxAgeSeconds: null,
}

/** Makes our registration with the test provider. */
export function registered(mock: TestProvider, changes: Partial<IdentityProvider> = {}): IdentityProvider {
  return {
    scheme: providerSchemeSchema.parse('partner'),
    displayName: 'Partner',
    issuer: mock.issuer,
    ...testProviderClient,
    domains: [],
    scope: 'openid profile email',
    reauthentication: 'prompt',
    signOutAtProvider: false,
    preset: 'openid_connect',
    ...noPresetValues,
    secondFactorValues: [],
    hidden: false,
    trustsEmail: false,
    enabled: true,
    ...changes,
  }
}

/** Our registration with the values of the preset. */
export function presetProvider(
  mock: TestProvider,
  preset: PresetName,
  changes: Partial<IdentityProvider> = {},
): IdentityProvider {
  const { scope, reauthentication } = providerPresets[preset]
  return registered(mock, { preset, scope, reauthentication, ...changes })
}

export type Json = Readonly<Record<string, unknown>>

/** Replaces the claims of the user, and keeps those about the token. */
export function withUser(user: Json) {
  return ({ iss, aud, nonce, iat, exp }: Json): Json => ({ iss, aud, nonce, iat, exp, ...user })
}

/** Changes the parameters of the callback before it arrives. */
export type Lie = (parameters: Readonly<Record<string, string>>) => Readonly<Record<string, string>>

export type Parties = { readonly mock: TestProvider; readonly upstream: Upstream }

/** Runs the whole sign-in: the authorization request, the callback and the redemption. */
export async function signIn({ mock, upstream }: Parties, faults: Faults, lie: Lie = honest => honest) {
  mock.faults = faults
  return (await signInAs({ mock, upstream }, registered(mock), lie)).redeemed.identity
}

/** Runs the whole sign-in with this registration. Returns also the parameters of the authorization request. */
export async function signInAs(
  { mock, upstream }: Parties,
  provider: IdentityProvider,
  lie: Lie = honest => honest,
) {
  const url = await upstream.authorizationUrl(provider, request)
  const callback = { ...request, parameters: lie(mock.approve(url)) }
  const redeemed = await upstream.redeem(provider, callback)
  return { redeemed, asked: Object.fromEntries(new URL(url).searchParams) }
}

/** Returns a check for `assert.rejects`: the error code, and the reason in the log. */
export function failsWith(reason: string) {
  return (error: unknown) => {
    assert.ok(isOauthError(error), String(error))
    const { reason: thrown, evidence } = error
    const said = evidence?.sent === undefined ? thrown : `${thrown}:${evidence.sent}`
    assert.deepEqual([error.code, said], ['provider_failed', reason])
    return true
  }
}
