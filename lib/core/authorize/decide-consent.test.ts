import { test } from 'node:test'
import type { Consent } from '#lib/ports/grants.ts'
import type { ConsentAnswer } from '#lib/ports/sessions.ts'
import { sessionIdSchema } from '#lib/protocol/ids.ts'
import { alice, before, check, names, pending, session } from '../testing/decision.ts'
import { testClient } from '../testing/registrations.ts'
import type { OpenedRequest } from './pending.ts'

const remembered = (scopes: string): Consent => ({
  subject: alice,
  clientId: testClient().clientId,
  scopes: names(scopes),
  createdAt: before(1000),
  updatedAt: before(1000),
  expiresAt: null,
})

test('CN-02 remembered consent covers only a subset of the granted scopes', () => {
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
        request: { details: { scopes: names('openid offline_access') } },
        remembered: remembered('openid offline_access'),
      },
      'issue openid offline_access',
    ],
  ])
})

test('CN-03 remembered consent replaces the question for a public client only at an https redirect URI', () => {
  const client = { require_consent: true, token_endpoint_auth_method: 'none', pkce: 'required' } as const
  const given = remembered('openid api')
  check([
    [{ client, remembered: given }, 'issue openid api'],
    [{ client, remembered: given, redirectUri: 'com.example.app:/cb' }, 'ask consent consent_needed'],
    [{ client, remembered: given, redirectUri: 'http://127.0.0.1/cb' }, 'ask consent consent_needed'],
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

const elsewhere = sessionIdSchema.parse('e'.repeat(22))
const answered = (consent: Partial<ConsentAnswer>): OpenedRequest => ({
  ...pending,
  consent: {
    sessionId: session.sessionId,
    decision: 'allow',
    scopes: names('openid'),
    remember: false,
    ...consent,
  },
})

test('CN-01 an answer counts only in the session it was given in', () => {
  const client = { require_consent: true }
  check([
    [{ client, pending: answered({}) }, 'issue openid'],
    [{ client, pending: answered({ scopes: names('openid api.write') }) }, 'issue openid'],
    [{ client, pending: answered({ sessionId: elsewhere }) }, 'ask consent consent_needed'],
    [{ client, pending: answered({ decision: 'deny' }) }, 'refuse access_denied consent_denied'],
    [{ client, pending: answered({ sessionId: elsewhere, decision: 'deny' }) }, 'ask consent consent_needed'],
  ])
})

test('CN-07 a remembered answer counts only as long as the consent is stored', () => {
  const client = { require_consent: true }
  const waiting = answered({ remember: true })
  check([
    [{ client, pending: waiting, remembered: remembered('openid api.write') }, 'issue openid'],
    [{ client, pending: waiting, remembered: remembered('api') }, 'ask consent consent_needed'],
    [{ client, pending: waiting }, 'ask consent consent_needed'],
    [{ client: { ...client, allow_remember_consent: false }, pending: waiting }, 'issue openid'],
  ])
})
