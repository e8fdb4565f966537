/** Contexts for the tests of `decide`: a signed-in user and a request without further steps, changed case by case. */

import assert from 'node:assert/strict'
import { createHashing } from '#lib/crypto/hashing.ts'
import { reasons } from '#lib/errors/reasons.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { providerSchemeSchema, scopeNameSchema, sessionIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client, ClientMetadata } from '#lib/protocol/registration/client.ts'
import { noPresetValues } from '#lib/protocol/registration/provider-presets.ts'
import { parseAcrValues } from '#lib/protocol/wire/parameters.ts'
import type { SubjectHint } from '../authorize/decide.ts'
import { type DecisionContext, decide } from '../authorize/decide.ts'
import type { OpenedRequest } from '../authorize/pending.ts'
import { canBeRemembered } from '../authorize/remember-consent.ts'
import { openProviders } from '../authorize/sign-in-providers.ts'
import type { ValidAuthorizeRequest } from '../authorize/validate.ts'
import { testClient } from './registrations.ts'

const arrival = new Date('2026-03-01T12:00:00Z')
export const before = (seconds: number) => new Date(arrival.getTime() - seconds * 1000)
const after = (seconds: number) => new Date(arrival.getTime() + seconds * 1000)
const { digest } = createHashing()
export const alice = subjectIdSchema.parse('alice')
export const bob = subjectIdSchema.parse('bob')
export const names = (text: string) => text.split(' ').map(name => scopeNameSchema.parse(name))

export const request: ValidAuthorizeRequest = {
  responseType: 'code',
  details: { scopes: names('openid api') },
  nonce: null,
  codeChallenge: null,
  prompts: [],
  maxAgeSeconds: null,
  loginHint: null,
  idTokenHint: null,
  acrValues: parseAcrValues(''),
  withoutOffline: null,
}

export const session: Session = {
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
  details: {},
}

export const pending: OpenedRequest = {
  digest: digest('p'),
  browser: digest('b'),
  parameters: {},
  hint: { kind: 'absent' },
  createdAt: arrival,
  expiresAt: after(3600),
  finishedAt: null,
  chosenSubject: null,
  network: null,
  consent: null,
}

export const fresh: Session = { ...session, createdAt: after(5), authenticatedAt: after(5) }
/**
 * A session of a sign-in just now at a provider where the user was already signed in, with the earlier time that the
 * provider reported.
 */
export const relayed: Session = { ...fresh, authenticatedAt: before(600) }

export function provider(scheme: string, enabled = true): IdentityProvider {
  const parsed = providerSchemeSchema.parse(scheme)
  const issuer = `https://${scheme}.example`
  return {
    scheme: parsed,
    displayName: scheme,
    issuer,
    clientId: 'us',
    clientSecret: null,
    domains: [],
    scope: 'openid profile email',
    reauthentication: 'prompt',
    signOutAtProvider: false,
    preset: 'openid_connect',
    ...noPresetValues,
    secondFactorValues: [],
    hidden: false,
    trustsEmail: false,
    enabled,
  }
}

type Case = {
  readonly request?: Partial<ValidAuthorizeRequest>
  readonly client?: Partial<ClientMetadata>
  readonly redirectUri?: string
  readonly session?: Session | null
  readonly hint?: SubjectHint
  readonly loginHintDiffers?: boolean
  readonly providers?: readonly IdentityProvider[]
  readonly remembered?: Consent
  readonly pending?: OpenedRequest
  readonly hasPasskeys?: boolean
}

function contextOf(given: Case): DecisionContext {
  const client: Client = testClient(given.client)
  return {
    request: { ...request, ...given.request },
    client,
    session: given.session === undefined ? session : given.session,
    hint: given.hint ?? ({ kind: 'absent' } as const),
    loginHintDiffers: given.loginHintDiffers ?? false,
    providers: openProviders(client, given.providers ?? []),
    remembered: given.remembered ?? null,
    consentCanBeRemembered: canBeRemembered(client, given.redirectUri ?? 'https://app.example/callback'),
    hasPasskeys: given.hasPasskeys ?? true,
    opened: given.pending ?? null,
    now: after(10),
  }
}

/**
 * Returns the decision in one line: `issue openid api`, `ask login not_signed_in`, `forward <provider> <reason>`,
 * `refuse login_required not_signed_in`.
 */
function decisionOf(given: Case): string {
  const decision = decide(contextOf(given))
  if (decision.kind === 'issue') return `issue ${decision.granted.scopes.join(' ')}`
  if (decision.kind === 'interact') return `ask ${decision.at} ${decision.reason}`
  if (decision.kind === 'forward') return `forward ${decision.scheme} ${decision.reason}`
  return `refuse ${reasons[decision.reason].error} ${decision.reason}`
}

export function check(rows: ReadonlyArray<readonly [Case, string]>): void {
  for (const [given, expected] of rows) assert.equal(decisionOf(given), expected)
}
