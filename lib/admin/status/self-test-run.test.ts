import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UserService } from '#lib/ports/users.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { takeLease } from './lease.ts'
import { findSelfTestClient, selfTestName, selfTestSubject, withSelfTestUser } from './self-test-run.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

/** A user service as extensions may write one: a class with a private field, whose members use `this`. */
class Directory {
  readonly #active = 'alice'
  async isActive(subject: string) {
    return subject === this.#active
  }
  async profile() {
    return { name: this.#active }
  }
  async canonicalUsername(name: string) {
    return `${this.#active} ${name}`
  }
}

test('the hidden client and user exist while a self-test runs, and end by themselves if its process dies', async () => {
  const { ports } = opened
  const service = withSelfTestUser(new Directory() as unknown as UserService, ports)
  const holder = ports.random.handle('selfTest')
  const subject = selfTestSubject(holder)
  const [clientId, other] = [holder, ports.random.handle('selfTest')].map(id => clientIdSchema.parse(id))
  assert.ok(clientId !== undefined && other !== undefined)
  const find = (id = clientId) => findSelfTestClient(ports, 'https://id.example', id)
  assert.deepEqual([await find(), await service.isActive(subject)], [null, false])

  const now = ports.clock.now()
  const until = new Date(now.getTime() + 120_000)
  const end = await takeLease(ports, { name: selfTestName, holder, until, details: { digest: 'x' } }, now)
  const found = await find()
  assert.deepEqual(found?.client.redirectUris, ['https://id.example/admin/status/return'])
  assert.equal(found?.secrets[0]?.digest, 'x')
  assert.equal(await find(other), null)
  assert.equal(await service.isActive(subject), true)
  assert.equal(await service.isActive(selfTestSubject(other)), false)
  assert.equal(await service.isActive(subjectIdSchema.parse(holder)), false)
  assert.deepEqual(await service.profile({ subject } as Parameters<UserService['profile']>[0]), {})

  opened.advance(121)
  assert.deepEqual([await find(), await service.isActive(subject)], [null, false])
  await end?.()
})

test('other users are those of the user service, whose members keep their object', async () => {
  const service = withSelfTestUser(new Directory() as unknown as UserService, opened.ports)
  const isActive = (name: string) => service.isActive(subjectIdSchema.parse(name))
  assert.deepEqual([await isActive('alice'), await isActive('bob')], [true, false])
  assert.equal(await service.canonicalUsername('x'), 'alice x')
})
