/** AD-01, AD-04: tests the actions that the dashboard offers because of an event. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { reasons } from '#lib/errors/reasons.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { adminRoles } from '#lib/protocol/admin-role.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { findUseCase } from '../use-cases.ts'
import { setUserEnabled } from '../users/write-users.ts'
import { type EventOfferName, eventOffer, eventOffers } from './event-offers.ts'
import { type Remedy, remedyFor } from './remedy.ts'

let opened: AdminTestPorts
let callers: Readonly<Record<(typeof adminRoles)[number], Caller>>
before(async () => {
  opened = await openAdminTestPorts()
  callers = {
    owner: await opened.caller('owner'),
    client_manager: await opened.caller('client_manager'),
    user_support: await opened.caller('user_support'),
    auditor: await opened.caller('auditor'),
  }
})
after(() => opened.close())

type Refused = Pick<StoredEvent, 'reason' | 'clientId' | 'subject'> & {
  readonly check: string
  readonly sent?: string
}

const withoutParties = { clientId: null, subject: null, check: 'user_active' }

async function remedy({ check, sent, ...event }: Refused, { actor }: Caller): Promise<Remedy | null> {
  const failed = { check, result: 'failed', atMs: null, ...(sent === undefined ? {} : { sent }) } as const
  return remedyFor(opened.ports, { ...event, grantType: null }, failed, actor)
}

let count = 0
/** Creates a client without the scope `api.write` and without the grant type `refresh_token`, unless `changes` has them. */
async function newClient(changes: object = {}): Promise<string> {
  count += 1
  const client_id = `shop-${count}`
  await opened.addClient({
    client_id,
    redirect_uris: ['https://shop.example/callback'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: 'openid',
    ...changes,
  })
  return client_id
}

const ofRedirectUri = { reason: 'redirect_uri_mismatch', check: 'redirect_uri_registered', subject: null }
const ofScope = { reason: 'scope_not_allowed', check: 'scopes_allowed', subject: null }

type Row = {
  readonly name: EventOfferName
  readonly who: readonly string[]
  readonly isFresh: boolean
  /** Causes a refusal that leads to the offer; `null` if the offer is on another page. */
  readonly refused: (() => Promise<Refused>) | null
}

/** The expected roles and sign-in of each offer, written by hand and not read from the table under test. */
const rows: readonly Row[] = [
  {
    name: 'add_redirect_uri',
    who: ['owner', 'client_manager'],
    isFresh: true,
    refused: async () => ({ ...ofRedirectUri, clientId: await newClient(), sent: 'https://evil.example/cb' }),
  },
  {
    name: 'allow_scope',
    who: ['owner', 'client_manager'],
    isFresh: true,
    refused: async () => ({ ...ofScope, clientId: await newClient(), sent: 'api.write' }),
  },
  {
    name: 'allow_grant_type',
    who: ['owner', 'client_manager'],
    isFresh: true,
    refused: async () => ({
      reason: 'grant_type_not_allowed',
      check: 'grant_type_allowed',
      clientId: await newClient(),
      subject: null,
      sent: 'refresh_token',
    }),
  },
  {
    name: 'enable_client',
    who: ['owner', 'client_manager'],
    isFresh: false,
    refused: async () => ({
      reason: 'client_disabled',
      check: 'client_enabled',
      clientId: await newClient({ enabled: false }),
      subject: null,
    }),
  },
  {
    name: 'unlock_user',
    who: ['owner', 'user_support'],
    isFresh: false,
    refused: async () => {
      count += 1
      const { subject } = await opened.addUser(`locked-${count}`, { enabled: false })
      return { ...withoutParties, reason: 'account_disabled', subject }
    },
  },
  { name: 'allow_sign_in', who: ['owner', 'user_support'], isFresh: false, refused: null },
]

test('AD-01 every action that is offered because of an event is in the table of this test', () => {
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), Object.keys(eventOffers).toSorted())
})

for (const { name, who, isFresh, refused } of rows) {
  describe(`the offer ${name}`, () => {
    test('AD-04 is never the primary action, and its dialog says what follows and who can cause it', () => {
      const row = eventOffers[name]
      assert.equal(row.look, 'plain')
      const { warning } = eventOffer({ name, input: {}, value: 'sent.example' })
      assert.match(warning, /^[A-Z].{25,}\. Anyone /)
      assert.equal(warning, `${row.consequence('sent.example')} ${row.caution}`)
    })

    test(`AD-04 its use case ${isFresh ? 'requires' : 'does not require'} a fresh sign-in`, () => {
      const { useCase, permission, freshSignIn } = eventOffers[name]
      const found = findUseCase(useCase)
      assert.deepEqual([found?.isSensitive, freshSignIn], [isFresh, isFresh])
      assert.equal(found?.permission, permission)
    })

    if (refused === null) return
    for (const role of adminRoles) {
      const isOpen = who.includes(role)
      test(`AD-01 ${isOpen ? 'is shown to and works for' : 'is neither shown to nor works for'} ${role}`, async () => {
        const event = await refused()
        const caller = callers[role]
        const shown = await remedy(event, caller)
        assert.equal(shown?.action?.name ?? null, isOpen ? name : null)
        // A role without the offer sends the form that an owner sees
        const offer = shown?.action ?? (await remedy(event, callers.owner))?.action
        const useCase = findUseCase(offer?.useCase ?? '')
        assert.ok(useCase && offer)
        const call = (changes: object = {}) => {
          const fields = Object.fromEntries(Object.entries(offer.input).map(([key, value]) => [key, [value]]))
          const actor = { ...caller.actor, ...changes }
          return callUntyped(useCase, opened.ports, useCase.fromForm(fields), { ...caller, actor })
        }
        const old = secondsAfter(opened.ports.clock.now(), -3600)
        if (isFresh && isOpen)
          assert.equal((await call({ authenticatedAt: old })).kind, 'fresh_sign_in_required')
        const result = await call()
        assert.equal(result.kind, isOpen ? 'ok' : 'denied', JSON.stringify(result))
        const { action, done } = (await remedy(event, caller)) ?? {}
        assert.deepEqual([action === null, done !== null], [true, isOpen])
      })
    }
  })
}

describe('what is not offered', () => {
  test('AD-03 the scope latchkey.admin is offered to no role, and the remedy says that anyone can request it', async () => {
    const event = { ...ofScope, clientId: await newClient(), sent: 'latchkey.admin' }
    for (const caller of Object.values(callers)) {
      const { action, sentence } = (await remedy(event, caller)) ?? {}
      assert.equal(action, null)
      assert.match(sentence ?? '', /anyone can request latchkey\.admin/)
    }
  })

  test('AD-01 a change of a client that administers the service is offered to owners, not to client managers', async () => {
    const clientId = await newClient({ scope: 'openid latchkey.admin' })
    const event = { ...ofRedirectUri, clientId, sent: 'https://evil.example/cb' }
    assert.equal((await remedy(event, callers.client_manager))?.action, null)
    assert.equal((await remedy(event, callers.owner))?.action?.name, 'add_redirect_uri')
  })

  test('AD-03 unlocking the account of an administrator is offered to owners, not to user support', async () => {
    const { subject } = await opened.actor('auditor')
    const locking = { sub: subject, enabled: 'false' }
    assert.equal((await callUntyped(setUserEnabled, opened.ports, locking, callers.owner)).kind, 'ok')
    const event = { ...withoutParties, reason: 'account_disabled', subject }
    assert.equal((await remedy(event, callers.user_support))?.action, null)
    assert.equal((await remedy(event, callers.owner))?.action?.name, 'unlock_user')
  })

  test('a scope that is disabled or unknown, a cut value and an unknown client lead to no offer', async () => {
    const clientId = await newClient()
    for (const event of [
      { ...ofScope, clientId, sent: 'retired' },
      { ...ofScope, clientId, sent: 'no.such.scope' },
      { ...ofRedirectUri, clientId, sent: 'https://a.example/?x=…' },
      { ...ofRedirectUri, clientId: 'no-such-client', sent: 'https://a.example/' },
      { ...withoutParties, reason: 'unknown_client', check: 'client_known', sent: 'unknown' },
    ])
      assert.equal((await remedy(event, callers.owner))?.action ?? null, null)
  })

  test('no other reason leads to an offer', async () => {
    const { subject } = await opened.addUser('locked-for-long', { enabled: false })
    const clients = [await newClient(), await newClient({ enabled: false })]
    const found = new Set<string>()
    for (const reason of Object.keys(reasons)) {
      for (const clientId of clients) {
        for (const sent of ['https://evil.example/', 'api.write']) {
          const event = { reason, clientId, subject, check: 'user_active', sent }
          const action = (await remedy(event, callers.owner))?.action
          if (action) found.add(`${reason}: ${action.name}`)
        }
      }
    }
    assert.deepEqual([...found].toSorted(), [
      'account_disabled: unlock_user',
      'client_disabled: enable_client',
      'grant_type_not_allowed: allow_grant_type',
      'redirect_uri_mismatch: add_redirect_uri',
      'scope_not_allowed: allow_scope',
    ])
  })

  test('the pages that a role may not open are not linked', async () => {
    const event = { ...withoutParties, reason: 'account_disabled', subject: 'alice' }
    assert.equal((await remedy(event, callers.client_manager))?.href, null)
    assert.equal((await remedy(event, callers.user_support))?.href, '/admin/users/alice')
    const unknown = { ...withoutParties, reason: 'unknown_client', check: 'client_known' }
    assert.equal((await remedy(unknown, callers.auditor))?.href, '/admin/clients')
  })
})

describe('a redirect URI that was refused', () => {
  for (const [sent, host] of [
    ['https://evil.example/cb', 'evil.example'],
    ['http://shop.example/callback', 'shop.example'],
    ['https://shop.example:8443/callback', 'shop.example:8443'],
    ['https://shop.example.evil.example/callback', 'shop.example.evil.example'],
    ['https://shop.example@evil.example/cb', 'evil.example'],
    ['com.example.evil:/callback', 'com.example.evil:/callback'],
    ['com.example.evil://shop.example/callback', 'com.example.evil://shop.example/callback'],
    ['https://shop.example/callback/', 'shop.example'],
  ] as const) {
    test(`the dialog says where codes would be sent: ${sent}`, async () => {
      const event = { ...ofRedirectUri, clientId: await newClient(), sent }
      const warning = (await remedy(event, callers.owner))?.action?.warning ?? ''
      assert.ok(warning.includes(`codes of every user of this client can be sent to ${host}.`), warning)
    })
  }
})
