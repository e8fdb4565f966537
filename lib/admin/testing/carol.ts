/** A user of a configuration file, and functions that change her password or delete her, for tests. */
import assert from 'node:assert/strict'
import { createPasswords } from '#lib/crypto/passwords/passwords.ts'
import type { ConfigurationStore } from '#lib/ports/configuration-store.ts'
import type { Passwords } from '#lib/ports/passwords.ts'
import { applyConfiguration } from '../configuration/apply-configuration.ts'
import { configuredPasswordsMeta } from '../configuration/user-records.ts'
import { cheap, installation, load, now } from './installation.ts'

export const passwords = createPasswords(cheap)
export const ofTheFile = 'rainy tuesday in november'
export const another = 'windy friday in may'
export const own = 'four herons at the quay'
export const carol = { username: 'carol', password: ofTheFile }
export const file = { users: [carol] }
export const metaName = configuredPasswordsMeta

/** Creates an installation with Carol from the file. */
export async function withCarol(keeper: Passwords = passwords) {
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
      assert.ok(
        await storage.users.choosePassword(
          subject,
          { replaced: passwordHash ?? '', successor },
          { now, notices: [] },
        ),
      )
    },
    isReset: async (password: string) =>
      put({ passwordHash: await passwords.hash(password), mustChangePassword: true }),
    remove: async () => {
      const { subject } = await carolNow()
      await storage.configuration.apply({ put: {}, remove: { users: [subject] } }, now)
    },
    /**
     * Applies a file as the first start of the server does after an update from a release that stored no hashes of the
     * file's passwords.
     */
    applyAfterUpdate: async (document: typeof file) => {
      const find = async (name: string) => (name === metaName ? null : storage.meta.find(name))
      const configuration: ConfigurationStore = {
        ...storage.configuration,
        apply: ({ basedOn: _, ...changes }, at) => storage.configuration.apply(changes, at),
      }
      const older = { ...storage, configuration, meta: { ...storage.meta, find } }
      return applyConfiguration({ ...here.parts, storage: older }, load(document, 'file'))
    },
  }
}
