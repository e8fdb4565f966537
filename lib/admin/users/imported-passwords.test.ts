import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { HashKind } from '#lib/protocol/registration/imported-hashes.ts'
import { hashKindsMeta, hashOfNoPassword } from '#lib/protocol/registration/imported-hashes.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { countHashKinds, learnHashKinds, maintainHashKinds } from './imported-passwords.ts'

let opened: AdminTestPorts
let expected: readonly HashKind[]
beforeEach(async () => {
  opened = await openAdminTestPorts()
  expected = []
})
afterEach(() => opened.close())

const ports = () => ({
  ...opened.ports,
  passwords: {
    expectImported: (kinds: readonly HashKind[]) => {
      expected = kinds
    },
  },
})
const addUsers = async (count: number, prefix: string, passwordHash: string | null) => {
  for (let number = 0; number < count; number += 1)
    await opened.addUser(`${prefix}-${number}`, { passwordHash })
}
const quick = { cost: '$pbkdf2-sha1$i=1000' } as const
const slow = { cost: '$pbkdf2-sha256$i=10000000' } as const

test('AU-05 the kinds of hashes are counted as shares of the users with a password, and read after a restart', async () => {
  await addUsers(6, 'own', '$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g')
  await addUsers(3, 'quick', hashOfNoPassword(quick.cost))
  await addUsers(1, 'slow', hashOfNoPassword(slow.cost))
  await addUsers(2, 'external', null)
  await countHashKinds(ports())
  const kinds = [
    { ...quick, share: 0.3 },
    { ...slow, share: 0.1 },
  ]
  assert.deepEqual(expected, kinds)
  expected = []
  assert.deepEqual((await learnHashKinds(ports()))?.kinds, kinds)
  assert.deepEqual(expected, kinds)
})

test('hashes are counted again after an hour, until none is left, and never without an import', async () => {
  const { meta } = opened.ports
  const stored = async () => (await meta.find(hashKindsMeta)) ?? ''
  await maintainHashKinds(ports())
  assert.equal(await stored(), '')
  await addUsers(1, 'quick', hashOfNoPassword(quick.cost))
  await countHashKinds(ports())
  const first = await stored()
  await maintainHashKinds(ports())
  assert.equal(await stored(), first)
  opened.advance(3600)
  await maintainHashKinds(ports())
  assert.notEqual(await stored(), first)
  const user = (await opened.ports.users.findByUsername('quick-0')) ?? assert.fail()
  const hashes = { replaced: user.passwordHash ?? '', successor: '$argon2id$own' }
  await opened.ports.users.replacePasswordHash(user.subject, hashes, opened.ports.clock.now())
  opened.advance(3600)
  await maintainHashKinds(ports())
  assert.deepEqual(expected, [])
  const last = await stored()
  opened.advance(7200)
  await maintainHashKinds(ports())
  assert.equal(await stored(), last)
})

test('the hashes of an import by an earlier release are counted', async () => {
  await opened.ports.meta.replace('imported_password_work', '{"sha1":2000,"sha256":0,"sha512":0}')
  await addUsers(1, 'quick', hashOfNoPassword(quick.cost))
  await maintainHashKinds(ports())
  assert.deepEqual(expected, [{ ...quick, share: 1 }])
})
