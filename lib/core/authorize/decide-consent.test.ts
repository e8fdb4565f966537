import { test } from 'node:test'
import type { Consent } from '#lib/ports/grants.ts'
import { alice, before, bob, check, names, pending, request } from './test-situation.ts'
import type { WaitingRequest } from './waiting-request.ts'

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
  const answered = (subject: typeof alice, decision: 'allow' | 'deny', scopes: string): WaitingRequest => ({
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
