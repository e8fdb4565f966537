/** Finds accounts for a forgotten password, and changes it, in the store of this server. */
import { mailProof as limits } from '#lib/config/limits.ts'
import type { PasswordRecovery, RecoverableAccount } from '#lib/ports/password-recovery.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { StoredUser, Users } from '#lib/ports/users.ts'
import { wordsAbout } from '#lib/protocol/text/user-names.ts'
import { mailboxOf } from '../mailbox.ts'

type RecoveryPorts = Pick<Ports, 'users' | 'passwords'>

export function standardRecovery({ users, passwords }: RecoveryPorts): PasswordRecovery {
  return {
    find: async typed => (await findUsers(users, typed)).map(recoverable),
    read: async subject => {
      const user = await users.findBySubject(subject)
      return user && recoverable(user)
    },
    setPassword: async ({ subject, state }, password, { now, consume, caller }) => {
      const successor = await passwords.hash(password, caller)
      const user = await users.findBySubject(subject)
      const replaced = user?.passwordHash ?? null
      if (user === null || replaced === null || recoverable(user).state !== state) return false
      if (!(await consume())) return false
      return users.choosePassword(subject, { replaced, successor }, { now, notices: [] })
    },
  }
}

/**
 * A user name has precedence over an address, as in a sign-in. Of several users with one address, those with a password are
 * meant; without any, one of the others gets a mail that says how to sign in.
 */
async function findUsers(users: Users, typed: string): Promise<readonly StoredUser[]> {
  const named = await users.findByUsername(typed)
  if (named !== null) return [named]
  if (!typed.includes('@')) return []
  const found = await users.listByVerifiedEmail(typed, limits.mostAccounts)
  const withPassword = found.filter(({ passwordHash }) => passwordHash !== null)
  return withPassword.length > 0 ? withPassword : found.slice(0, 1)
}

function recoverable(user: StoredUser): RecoverableAccount {
  const { subject, username, passwordHash, enabled } = user
  const mailbox = mailboxOf(user)
  return {
    ...{ subject, username, mailbox },
    kind: kindOf(user),
    state: JSON.stringify([passwordHash, enabled, mailbox?.address ?? null]),
    words: wordsAbout(user),
  }
}

function kindOf({ enabled, passwordHash }: StoredUser): RecoverableAccount['kind'] {
  if (!enabled) return 'locked'
  return passwordHash === null ? 'no_password' : 'password'
}
