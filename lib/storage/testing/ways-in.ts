/** Stores users with ways to sign in, for the contracts about their removal. */
import assert from 'node:assert/strict'
import type { NamedIdentity, RemainingWays } from '#lib/ports/account-links.ts'
import type { ChangeSource } from '#lib/ports/change-source.ts'
import type { Passkey } from '#lib/ports/passkeys.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { Host } from './host.ts'
import { newDigest, now, sampleProvider, sampleUser } from './samples.ts'

export type UserWithWays = {
  readonly subject: SubjectId
  readonly identity: NamedIdentity
  readonly passkey: Passkey
}

export type Removal = {
  readonly within?: ChangeSource
  readonly mayRemove?: (remaining: RemainingWays | null) => boolean
}

/** Returns the functions that store and remove ways to sign in. */
export function waysInOf(host: () => Host) {
  const storage = () => host().storage

  /** Stores a user without a password, with a passkey and an identity. */
  async function newUser(): Promise<UserWithWays> {
    const user = sampleUser({ passwordHash: null })
    const provider = sampleProvider()
    await storage().configuration.apply({ put: { users: [user], providers: [provider] }, remove: {} }, now)
    const { subject } = user
    const { scheme, issuer } = provider
    const identity: NamedIdentity = { scheme, issuer, subject: newDigest(), label: null }
    assert.equal(await link(subject, identity), 'added')
    return { subject, identity, passkey: await addPasskey(subject) }
  }

  const link = (subject: SubjectId, identity: NamedIdentity, address?: string) =>
    storage().users.links.add(subject, identity, {
      ...{ now, most: 9, notices: [], mayLink: () => true },
      ...(address === undefined ? {} : { address }),
    })

  async function addPasskey(subject: SubjectId): Promise<Passkey> {
    const passkey = {
      ...{ id: newDigest(), subject, idp: 'latchkey', publicKey: 'key', signatureCounter: 0 },
      ...{ isBackedUp: false, canBeBackedUp: true, isDiscoverable: null, aaguid: '', name: 'Laptop' },
      ...{ transports: [], createdAt: now, lastUsedAt: null },
    }
    assert.equal(await storage().passkeys.add(passkey, { most: 10, notices: [] }), 'added')
    return passkey
  }

  const unlink = ({ subject, identity }: Pick<UserWithWays, 'subject' | 'identity'>, removal: Removal = {}) =>
    storage().users.links.remove(subject, identity, { now, notices: [], mayRemove: () => true, ...removal })

  return { newUser, link, addPasskey, unlink }
}
