import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPasswords } from '#lib/crypto/passwords/passwords.ts'
import type { Passwords } from '#lib/ports/passwords.ts'
import { another, carol, file, metaName, ofTheFile, own, passwords, withCarol } from '../testing/carol.ts'
import { cheap, installation, load } from '../testing/installation.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { demoConfiguration } from './demo.ts'

describe('hashing', () => {
  test('a start costs one verification for each password, and two operations more for each that changed', async () => {
    const { counted, operations } = counting(passwords)
    const here = await withCarol(counted)
    assert.deepEqual(operations.splice(0), ['hash'])
    await here.apply(file)
    assert.deepEqual(operations.splice(0), ['verify'])
    await here.chooses(own)
    await here.apply(file)
    assert.deepEqual(operations.splice(0), ['verify'])
    await here.apply({ users: [{ ...carol, password: another }] })
    assert.deepEqual(operations.splice(0), ['verify', 'verify', 'hash'])
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
      assert.match((await here.storage.meta.find(metaName)) ?? '', /t=2/)
      await applyConfiguration({ ...here.parts, passwords: stronger }, load(file, 'file'))
      assert.equal((await here.carol()).passwordHash, passwordHash, 'once')
    }
  })

  test('stores the passwords of the file as Argon2id hashes, and deletes them with the users of the demo', async () => {
    const { apply, storage } = await installation()
    await apply(demoConfiguration('http://localhost:3000'), 'demo')
    assert.match((await storage.meta.find(metaName)) ?? '', /"hash":"\$argon2id\$/)
    await apply({})
    assert.equal(await storage.meta.find(metaName), '[]')
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
