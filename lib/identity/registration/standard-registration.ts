/** Creates accounts of users who register, in the store of this server. */
import { mailProof as limits } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { UserRegistration } from '#lib/ports/registration.ts'
import type { Users } from '#lib/ports/users.ts'
import { mailboxOf } from '../mailbox.ts'

type RegistrationPorts = Pick<Ports, 'users' | 'passwords'>

export function standardRegistration({ users, passwords }: RegistrationPorts): UserRegistration {
  const isTaken = async (username: string) => (await users.findByUsername(username)) !== null
  return {
    isTaken,
    findByAddress: address => findByAddress(users, address),
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
    register: async (account, { now, consume }) => {
      // Before the link is used up, so that it still works with another name
      if (await isTaken(account.username)) return { kind: 'taken' }
      if (!(await consume())) return { kind: 'expired' }
      const user = { ...account, mustChangePassword: false, enabled: true }
      const result = await users.register(user, now, { needsOwnAddress: true })
      switch (result) {
        case 'registered':
          return { kind: 'registered', subject: account.subject }
        case 'name_taken':
          return { kind: 'taken' }
        case 'address_taken':
          return { kind: 'exists' }
      }
    },
  }
}

/** The accounts with the verified address come first: a user name can be the address of someone else. */
async function findByAddress(users: Users, address: string) {
  const [named, verified] = await Promise.all([
    users.findByUsername(address),
    users.listByVerifiedEmail(address, limits.mostAccounts),
  ])
  const isKnown = verified.some(({ subject }) => subject === named?.subject)
  const found = named === null || isKnown ? verified : [...verified, named]
  return found.map(user => ({ username: user.username, mailbox: mailboxOf(user) }))
}
