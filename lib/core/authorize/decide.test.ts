import { test } from 'node:test'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { type AcrValues, parseAcrValues } from '#lib/protocol/wire/parameters.ts'
import { alice, bob, check, fresh, pending, provider, relayed, session } from '../testing/decision.ts'

const idp = (name: string): AcrValues => parseAcrValues(`idp:${name}`)
const silent = { prompts: ['none'] } as const

test('issues without a page for a session that satisfies the request', () => {
  check([[{}, 'issue openid api']])
})

test('AZ-16 prompt=none never asks: each reason to ask is returned as its error', () => {
  const consenting = { require_consent: true }
  check([
    [{ request: silent }, 'issue openid api'],
    [{ request: silent, session: null }, 'refuse login_required not_signed_in'],
    [{ request: { ...silent, maxAgeSeconds: 60 } }, 'refuse login_required max_age_exceeded'],
    [{ request: silent, client: consenting }, 'refuse consent_required consent_needed'],
    [
      { request: silent, client: { enable_local_login: false }, providers: [provider('corp')] },
      'refuse interaction_required local_login_not_allowed_for_client',
    ],
    [
      { request: { ...silent, acrValues: idp('corp') }, providers: [provider('corp')] },
      'refuse login_required requested_provider_differs',
    ],
    [
      { request: silent, hint: { kind: 'subject', subject: 'bob' } },
      'refuse login_required id_token_hint_differs',
    ],
    [{ request: silent, hint: { kind: 'unreadable' } }, 'refuse login_required id_token_hint_differs'],
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
    [{ request: login, pending, session: relayed }, 'ask login prompt_login'],
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
    [{ request: { maxAgeSeconds: 700 }, pending, session: relayed }, 'issue openid api'],
    [{ request: { maxAgeSeconds: 500 }, pending, session: relayed }, 'ask login max_age_exceeded'],
  ])
})

const at = '2026-03-01T11:50:00.000Z'
const password = { methods: ['pwd'], at, kind: 'password' } as const
const totp = { methods: ['otp'], at, kind: 'totp' } as const
const passkey = { methods: ['swk', 'user', 'mfa'], at, kind: 'passkey' } as const
const twoFactors = { ...session, details: { factors: [password, totp] } }
const byPasskey = { ...session, details: { factors: [passkey] } }

test('MF-06 a session below the required level leads to the missing factor, not to the whole sign-in', () => {
  const mfa = { request: { acrValues: parseAcrValues('urn:latchkey:mfa') } }
  const phr = { request: { acrValues: parseAcrValues('phr') } }
  const both = { request: { acrValues: parseAcrValues('phr urn:latchkey:mfa') } }
  check([
    [mfa, 'ask step_up assurance_too_low'],
    [{ ...mfa, session: null }, 'ask login not_signed_in'],
    [{ ...mfa, session: { ...session, details: { factors: [password] } } }, 'ask step_up assurance_too_low'],
    [{ ...mfa, session: twoFactors }, 'issue openid api'],
    [{ ...mfa, session: byPasskey }, 'issue openid api'],
    [{ ...phr, session: twoFactors }, 'ask step_up assurance_too_low'],
    [{ ...both, session: twoFactors }, 'issue openid api'],
    [{ ...phr, session: byPasskey }, 'issue openid api'],
    [{ request: { acrValues: parseAcrValues('urn:example:gold phrh') } }, 'issue openid api'],
    [{ client: { require_acr: 'urn:latchkey:mfa' } }, 'ask step_up assurance_too_low'],
    [{ client: { require_acr: 'urn:latchkey:mfa' }, session: byPasskey }, 'issue openid api'],
    [
      {
        client: { require_acr: 'urn:latchkey:mfa' },
        request: { acrValues: parseAcrValues('urn:latchkey:pwd') },
      },
      'ask step_up assurance_too_low',
    ],
  ])
})

test('MF-06 a passkey that no user can have is refused before a sign-in, and only if no other value is enough', () => {
  const hasPasskeys = false
  const phr = { request: { acrValues: parseAcrValues('phr') }, hasPasskeys }
  const refused = 'refuse unmet_authentication_requirements assurance_unreachable'
  check([
    [{ ...phr, session: null }, refused],
    [phr, refused],
    [{ ...phr, session: byPasskey }, 'issue openid api'],
    [{ client: { require_acr: 'phr' }, hasPasskeys, session: null }, refused],
    [
      { request: { acrValues: parseAcrValues('phr urn:latchkey:mfa') }, hasPasskeys },
      'ask step_up assurance_too_low',
    ],
    [{ hasPasskeys, session: null }, 'ask login not_signed_in'],
  ])
})

test('MF-06 a class of the user service does not replace a level', () => {
  const acrValues = parseAcrValues('urn:latchkey:mfa')
  check([
    [
      { request: { acrValues }, session: { ...session, acr: 'urn:latchkey:mfa' } },
      'ask step_up assurance_too_low',
    ],
    [
      { request: { acrValues }, session: { ...session, amr: ['pwd', 'otp', 'mfa'] } },
      'ask step_up assurance_too_low',
    ],
  ])
})

test('MF-06 AZ-16 with prompt=none a session below the required level is login_required', () => {
  const acrValues = parseAcrValues('urn:latchkey:mfa')
  check([
    [{ request: { ...silent, acrValues } }, 'refuse login_required assurance_too_low'],
    [{ request: { ...silent, acrValues }, session: twoFactors }, 'issue openid api'],
  ])
})

test('MF-06 AZ-18 max_age and acr_values both count: an old sign-in begins again', () => {
  const acrValues = parseAcrValues('urn:latchkey:mfa')
  check([
    [{ request: { acrValues, maxAgeSeconds: 60 }, session: twoFactors }, 'ask login max_age_exceeded'],
    [{ request: { acrValues, maxAgeSeconds: 700 } }, 'ask step_up assurance_too_low'],
    [{ request: { acrValues, maxAgeSeconds: 0 }, pending, session: fresh }, 'ask step_up assurance_too_low'],
  ])
})

test('MF-06 the user chooses the account, and a wrong user is refused, before another factor is asked for', () => {
  const acrValues = parseAcrValues('urn:latchkey:mfa')
  const hint = { kind: 'subject', subject: 'bob' } as const
  check([
    [{ request: { acrValues, prompts: ['select_account'] } }, 'ask select_account prompt_select_account'],
    [
      { request: { acrValues }, hint, pending, session: fresh },
      'refuse login_required id_token_hint_differs',
    ],
    [{ request: { acrValues }, client: { require_consent: true } }, 'ask step_up assurance_too_low'],
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
    [{ request: select, pending, session: relayed }, 'issue openid api'],
  ])
})

test('AZ-16 AZ-19 S4 a login_hint that names another user leads to the account choice, and with prompt=none to an error', () => {
  const loginHintDiffers = true
  const named = (subject: string) => ({ kind: 'subject', subject }) as const
  check([
    [{ loginHintDiffers }, 'ask select_account login_hint_differs'],
    [{ loginHintDiffers, request: silent }, 'refuse account_selection_required login_hint_differs'],
    [{ loginHintDiffers, request: { prompts: ['consent'] } }, 'ask select_account login_hint_differs'],
    [{ loginHintDiffers, request: { prompts: ['login'] } }, 'ask login prompt_login'],
    [{ loginHintDiffers, request: { maxAgeSeconds: 60 } }, 'ask login max_age_exceeded'],
    [
      { loginHintDiffers, request: { acrValues: idp('corp') }, providers: [provider('corp')] },
      'forward corp requested_provider_differs',
    ],
    [{ loginHintDiffers, pending }, 'ask select_account login_hint_differs'],
    [
      { loginHintDiffers, pending: { ...pending, chosenSubject: bob } },
      'ask select_account login_hint_differs',
    ],
    [{ loginHintDiffers, pending: { ...pending, chosenSubject: alice } }, 'issue openid api'],
    [{ loginHintDiffers, pending, session: fresh }, 'issue openid api'],
    [{ loginHintDiffers, pending, session: relayed }, 'issue openid api'],
    [{ loginHintDiffers, hint: named('alice') }, 'issue openid api'],
    [{ loginHintDiffers, hint: named('alice'), request: silent }, 'issue openid api'],
    [{ loginHintDiffers, hint: named('bob') }, 'ask login id_token_hint_differs'],
    [{ loginHintDiffers, hint: { kind: 'unreadable' } }, 'ask select_account login_hint_differs'],
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

test('a client without local sign-in redirects users to its providers', () => {
  const client = { enable_local_login: false }
  const [corp, uni] = [provider('corp'), provider('uni')]
  const hidden = { ...provider('hidden'), hidden: true }
  check([
    [{ client, session: null, providers: [corp] }, 'forward corp not_signed_in'],
    [{ client, session: null, providers: [corp, uni] }, 'ask providers not_signed_in'],
    [{ client, session: null }, 'refuse access_denied no_sign_in_method'],
    [{ client, session: null, providers: [hidden] }, 'refuse access_denied no_sign_in_method'],
    [{ client, session: null, providers: [corp, hidden] }, 'forward corp not_signed_in'],
    [
      { client, session: null, request: { acrValues: idp('hidden') }, providers: [corp, hidden] },
      'forward hidden not_signed_in',
    ],
    [{ client, session: { ...session, idp: 'hidden' }, providers: [corp, hidden] }, 'issue openid api'],
    [
      {
        client,
        session: { ...session, idp: 'hidden' },
        request: { prompts: ['login'] },
        providers: [corp, hidden],
      },
      'ask providers prompt_login',
    ],
    [{ client, providers: [corp] }, 'forward corp local_login_not_allowed_for_client'],
    [{ client, session: { ...session, idp: 'corp' }, providers: [corp] }, 'issue openid api'],
  ])
})

test('FD-06 a session from a provider that is not open to the client signs in again', () => {
  const session1 = { ...session, idp: 'corp' }
  check([
    [
      { session: session1, providers: [provider('corp', false)] },
      'ask login provider_not_allowed_for_client',
    ],
    [{ session: session1, providers: [provider('corp')] }, 'issue openid api'],
  ])
})

test('a hint that names another user asks for a sign-in once, then refuses', () => {
  const hint = { kind: 'subject', subject: 'bob' } as const
  check([
    [{ hint }, 'ask login id_token_hint_differs'],
    [{ hint, pending, session: fresh }, 'refuse login_required id_token_hint_differs'],
    [{ hint, pending, session: relayed }, 'refuse login_required id_token_hint_differs'],
    [{ hint: { kind: 'unreadable' } }, 'issue openid api'],
  ])
})

test('B-13 prompt=none answers alike for every login_hint while the client has no consent', () => {
  const client = { require_consent: true }
  check([
    [{ request: silent, client, loginHintDiffers: true }, 'refuse consent_required consent_needed'],
    [{ request: silent, client, loginHintDiffers: false }, 'refuse consent_required consent_needed'],
    [{ request: silent, loginHintDiffers: true }, 'refuse account_selection_required login_hint_differs'],
  ])
})
