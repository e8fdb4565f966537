import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { passkeyWarning, verifyRelyingParty } from './relying-party.ts'

/** Settings at https://login.example.com, and a store with this many passkeys of `known`. */
function place(known: string | null, passkeys: number) {
  let stored = known
  let left = passkeys
  return {
    stored: () => stored,
    ports: {
      meta: {
        find: async () => stored,
        replace: async (_name: string, value: string) => {
          stored = value
        },
      },
      passkeys: {
        count: async () => left,
        removeAll: async () => {
          const deleted = left
          left = 0
          return deleted
        },
      },
    },
  }
}

const at = (id: string, issuer = 'https://login.example.com') =>
  ({ issuer, relyingParty: { kind: 'on', id, origins: [issuer] }, discardedRelyingParty: null }) as const

test('MF-05 the domain is stored at the first start, and replaced as long as there are no passkeys', async () => {
  const { ports, stored } = place(null, 0)
  await verifyRelyingParty(at('localhost'), ports)
  assert.equal(stored(), 'localhost')
  await verifyRelyingParty(at('login.example.com'), ports)
  assert.equal(stored(), 'login.example.com')
})

test('MF-05 a start under another host is refused, and says how many passkeys would be lost and what to set', async () => {
  const { ports, stored } = place('login.example.org', 3)
  await assert.rejects(verifyRelyingParty(at('login.example.com'), ports), error => {
    assert.ok(isConfigError(error))
    assert.equal(
      error.message,
      'Passkeys would belong to login.example.com, but 3 passkeys belong to login.example.org and would be lost; set WEBAUTHN_RP_ID=login.example.org and WEBAUTHN_RELATED_ORIGINS=https://login.example.com, and serve https://login.example.org/.well-known/webauthn, or delete them with WEBAUTHN_DISCARDED_RP_ID=login.example.org.',
    )
    return true
  })
  assert.equal(stored(), 'login.example.org')
})

test('MF-05 for a host under the earlier domain, that domain is enough', async () => {
  const { ports } = place('example.com', 1)
  await assert.rejects(verifyRelyingParty(at('login.example.com'), ports), {
    message:
      /1 passkey belongs to example\.com and would be lost; set WEBAUTHN_RP_ID=example\.com, or delete them with WEBAUTHN_DISCARDED_RP_ID=example\.com\.$/,
  })
  await verifyRelyingParty(at('example.com'), ports)
})

test('MF-05 where browsers have no passkeys, a start warns, and the stored domain stays', async () => {
  const settings = {
    issuer: 'http://10.0.0.1',
    relyingParty: { kind: 'off', why: 'ip_address' },
    discardedRelyingParty: 'login.example.com',
  } as const
  const { ports, stored } = place('login.example.com', 2)
  await verifyRelyingParty(settings, ports)
  assert.equal(stored(), 'login.example.com')
  assert.deepEqual(passkeyWarning(settings, 2), [
    'Browsers have no passkeys for an IP address (http://10.0.0.1), so users cannot have any. The 2 stored ones do not work here.',
  ])
  assert.deepEqual(passkeyWarning(at('login.example.com'), 2), [])
})

test('MF-05 the passkeys of a discarded domain are deleted once', async () => {
  const { ports, stored } = place('localhost', 2)
  const settings = { ...at('login.example.com'), discardedRelyingParty: 'localhost' }
  await assert.rejects(verifyRelyingParty({ ...settings, discardedRelyingParty: 'other.example' }, ports))
  assert.equal(await verifyRelyingParty(settings, ports), 2)
  assert.equal(stored(), 'login.example.com')
  assert.equal(await verifyRelyingParty(settings, ports), 0)
})
