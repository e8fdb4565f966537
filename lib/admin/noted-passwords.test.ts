import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPasswords } from '#lib/crypto/passwords.ts'
import type { Passwords } from '#lib/ports/users.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { demoConfiguration } from './demo.ts'
import { unchangedPeople } from './noted-passwords.ts'
import { cheap, installation, load, now } from './test-installation.ts'

const passwords = createPasswords(cheap)
const ofTheFile = 'rainy tuesday in november'
const another = 'windy friday in may'
const own = 'four herons at the quay'
const carol = { username: 'carol', password: ofTheFile }
const file = { users: [carol] }
const noted = 'configuration_passwords'

/** An installation with Carol from the file, and what happens to her password. */
async function withCarol(keeper: Passwords = passwords) {
  const here = await installation(keeper)
  const { storage } = here
  const carolNow = async () => {
    const found = await storage.users.findByUsername('carol')
    assert.ok(found)
    return found
  }
  const put = async (changes: object) => {
    const users = [{ ...(await carolNow()), ...changes }]
    await storage.configuration.apply({ put: { users }, remove: {} }, now)
  }
  await here.apply(file)
  return {
    ...here,
    carol: carolNow,
    opens: async (password: string) => passwords.verify(password, (await carolNow()).passwordHash),
    chooses: async (password: string) => {
      const { subject, passwordHash } = await carolNow()
      const successor = await passwords.hash(password)
      assert.ok(await storage.users.choosePassword(subject, { replaced: passwordHash ?? '', successor }, now))
    },
    isReset: async (password: string) =>
      put({ passwordHash: await passwords.hash(password), mustChangePassword: true }),
    remove: async () => {
      const { subject } = await carolNow()
      await storage.configuration.apply({ put: {}, remove: { users: [subject] } }, now)
    },
    /** The first start after an update from a release that noted nothing. */
    applyAfterUpdate: async (document: typeof file) => {
      const find = async (name: string) => (name === noted ? null : storage.meta.find(name))
      const older = { ...storage, meta: { ...storage.meta, find } }
      return applyConfiguration({ ...here.parts, storage: older }, load(document, 'file'))
    },
  }
}

describe('AU-03 a password that the file still says is no news', () => {
  test('what the person chose meanwhile stays, and nothing is written', async () => {
    const here = await withCarol()
    await here.chooses(own)
    assert.deepEqual(await here.apply(file), { written: 0, removed: 0 })
    assert.deepEqual([await here.opens(own), await here.opens(ofTheFile)], [true, false])
  })

  test('what an admin handed out stays handed out', async () => {
    const here = await withCarol()
    await here.isReset(another)
    for (const start of [1, 2]) {
      await here.apply(file)
      assert.ok(await here.opens(another), `start ${start}`)
      assert.equal((await here.carol()).mustChangePassword, true)
    }
  })

  test('although other things of the person change in the file', async () => {
    const here = await withCarol()
    await here.isReset(another)
    await here.apply({ users: [{ ...carol, claims: { name: 'Carol' } }] })
    const { claims, mustChangePassword } = await here.carol()
    assert.deepEqual([claims, mustChangePassword], [{ name: 'Carol' }, true])
    assert.ok(await here.opens(another))
  })

  test('nor in an account that was made again under the same name', async () => {
    const here = await withCarol()
    const before = await here.carol()
    await here.remove()
    const subject = subjectIdSchema.parse('made-again')
    const passwordHash = await passwords.hash(another)
    const users = [{ ...before, subject, passwordHash, mustChangePassword: true }]
    await here.storage.configuration.apply({ put: { users }, remove: {} }, now)
    for (const start of [1, 2]) {
      await here.apply(file)
      assert.ok(await here.opens(another), `start ${start}`)
      assert.equal((await here.carol()).mustChangePassword, true)
    }
  })

  test('and the box at the start tells only those that still open something', async () => {
    const { apply, storage } = await installation()
    const demo = demoConfiguration('http://localhost:3000')
    const people = load(demo, 'demo').configuration.users
    const told = async () => (await unchangedPeople(storage, people)).map(({ username }) => username)
    await apply(demo, 'demo')
    assert.deepEqual(await told(), ['alice', 'bob'])
    const bob = await storage.users.findByUsername('bob')
    assert.ok(bob)
    const users = [{ ...bob, passwordHash: await passwords.hash(own) }]
    await storage.configuration.apply({ put: { users }, remove: {} }, now)
    await apply(demo, 'demo')
    assert.deepEqual(await told(), ['alice'])
  })

  test('nor in the demo, nor after starts without the file', async () => {
    const { apply, storage } = await installation()
    const demo = demoConfiguration('http://localhost:3000')
    await apply(demo, 'demo')
    const alice = await storage.users.findByUsername('alice')
    assert.ok(alice?.passwordHash)
    const hashes = { replaced: alice.passwordHash, successor: await passwords.hash(own) }
    assert.ok(await storage.users.choosePassword(alice.subject, hashes, now))
    await apply(demo, 'demo')
    const { passwordHash = null } = (await storage.users.findByUsername('alice')) ?? {}
    assert.ok(await passwords.verify(own, passwordHash))

    const here = await withCarol()
    await here.chooses(own)
    await here.apply({}, 'none')
    await here.apply(file)
    assert.ok(await here.opens(own))
  })
})

describe('a password that the file says anew counts', () => {
  test('over what was chosen or handed out meanwhile', async () => {
    const here = await withCarol()
    await here.isReset(own)
    await here.apply({ users: [{ ...carol, password: another }] })
    assert.ok(await here.opens(another))
    assert.equal((await here.carol()).mustChangePassword, false)
    await here.chooses(own)
    await here.apply(file)
    assert.ok(await here.opens(ofTheFile), 'also when it said so once')
  })

  test('for somebody whom the dashboard made, once the file names them', async () => {
    const here = await withCarol()
    await here.apply({})
    await here.isReset(own)
    await here.apply(file)
    const { enabled, mustChangePassword } = await here.carol()
    assert.deepEqual([enabled, mustChangePassword, await here.opens(ofTheFile)], [true, false, true])
  })

  test('without one nobody signs in with a password, and a later one is new', async () => {
    const here = await withCarol()
    await here.chooses(own)
    await here.apply({ users: [{ username: 'carol' }] })
    assert.equal((await here.carol()).passwordHash, null)
    await here.apply(file)
    assert.ok(await here.opens(ofTheFile))
  })

  test('for somebody who was deleted: they come back with it', async () => {
    const here = await withCarol()
    await here.remove()
    await here.apply(file)
    assert.ok(await here.opens(ofTheFile))
  })
})

describe('a start that breaks off', () => {
  const changed = { users: [{ ...carol, password: another }] }
  for (const [when, isApplied] of [
    ['before the change', false],
    ['after it', true],
  ] as const)
    test(`${when} makes the next one apply the new password, once`, async () => {
      const here = await withCarol()
      const { storage } = here
      const apply: typeof storage.configuration.apply = async (changes, at) => {
        if (isApplied) await storage.configuration.apply(changes, at)
        throw new Error('broken off')
      }
      const breaking = { ...storage, configuration: { ...storage.configuration, apply } }
      const start = applyConfiguration({ ...here.parts, storage: breaking }, load(changed, 'file'))
      await assert.rejects(start, /broken off/)
      assert.deepEqual(await here.apply(changed), { written: isApplied ? 0 : 1, removed: 0 })
      assert.ok(await here.opens(another))
      await here.chooses(own)
      await here.apply(changed)
      assert.ok(await here.opens(own))
    })

  test('leaves what the person chose before it', async () => {
    const here = await withCarol()
    await here.chooses(own)
    const apply = () => Promise.reject(new Error('broken off'))
    const breaking = { ...here.storage, configuration: { ...here.storage.configuration, apply } }
    await assert.rejects(applyConfiguration({ ...here.parts, storage: breaking }, load(file, 'file')))
    await here.apply(file)
    assert.ok(await here.opens(own))
  })
})

describe('a database of a release that noted nothing', () => {
  test('keeps what differs from the file, and takes the next change of the file', async () => {
    const here = await withCarol()
    await here.isReset(own)
    assert.deepEqual(await here.applyAfterUpdate(file), { written: 0, removed: 0 })
    await here.apply(file)
    assert.deepEqual([await here.opens(own), (await here.carol()).mustChangePassword], [true, true])
    await here.apply({ users: [{ ...carol, password: another }] })
    assert.ok(await here.opens(another))
  })

  test('knows from then on what the file said', async () => {
    const here = await withCarol()
    await here.applyAfterUpdate(file)
    await here.chooses(own)
    await here.apply(file)
    assert.ok(await here.opens(own))
  })

  test('gives a password to who has none', async () => {
    const here = await withCarol()
    await here.apply({ users: [{ username: 'carol' }] })
    await here.applyAfterUpdate(file)
    assert.ok(await here.opens(ofTheFile))
  })
})

describe('hashing', () => {
  test('a start costs one verification for each password, and a hash more for each that changed', async () => {
    const { counted, operations } = counting(passwords)
    const here = await withCarol(counted)
    assert.deepEqual(operations.splice(0), ['hash'])
    await here.apply(file)
    assert.deepEqual(operations.splice(0), ['verify'])
    await here.chooses(own)
    await here.apply(file)
    assert.deepEqual(operations.splice(0), ['verify'])
    await here.apply({ users: [{ ...carol, password: another }] })
    assert.deepEqual(operations.splice(0), ['verify', 'hash'])
  })

  test('AU-01 stronger parameters replace the hash of the file, and of nothing else', async () => {
    const stronger = createPasswords({ ...cheap, passes: 2 })
    for (const isOwn of [false, true]) {
      const here = await withCarol()
      if (isOwn) await here.chooses(own)
      const before = await here.carol()
      await applyConfiguration({ ...here.parts, passwords: stronger }, load(file, 'file'))
      const { passwordHash = null } = await here.carol()
      assert.equal(passwordHash === before.passwordHash, isOwn)
      assert.ok(await here.opens(isOwn ? own : ofTheFile))
      assert.match((await here.storage.meta.find(noted)) ?? '', /t=2/)
      await applyConfiguration({ ...here.parts, passwords: stronger }, load(file, 'file'))
      assert.equal((await here.carol()).passwordHash, passwordHash, 'once')
    }
  })

  test('what is noted is as hard to guess as what is stored, and goes with the person', async () => {
    const here = await withCarol()
    assert.match((await here.storage.meta.find(noted)) ?? '', /"hash":"\$argon2id\$/)
    await here.apply({})
    assert.equal(await here.storage.meta.find(noted), '[]')
  })
})

function counting(keeper: Passwords): { readonly counted: Passwords; readonly operations: string[] } {
  const operations: string[] = []
  const counted = {
    ...keeper,
    hash: (password: string) => {
      operations.push('hash')
      return keeper.hash(password)
    },
    verify: (password: string, stored: string | null) => {
      operations.push('verify')
      return keeper.verify(password, stored)
    },
  }
  return { counted, operations }
}
