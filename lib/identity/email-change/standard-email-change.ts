/** Changes the address of an account in the store of this server. */

import type { ChangeableEmail, EmailChange } from '#lib/ports/email-change.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { StoredUser } from '#lib/ports/users.ts'

export function standardEmailChange({ users }: Pick<Ports, 'users'>): EmailChange {
  return {
    read: async subject => {
      const user = await users.findBySubject(subject)
      return user?.enabled === true ? changeable(user) : null
    },
    change: async ({ subject, state }, address, { now, within, consume }) => {
      const user = await users.findBySubject(subject)
      if (user === null || !user.enabled || changeable(user).state !== state) return false
      if (!(await consume())) return false
      return users.changeEmail(subject, { replaced: user, address, within }, now)
    },
  }
}

function changeable({ subject, passwordHash, enabled, claims }: StoredUser): ChangeableEmail {
  const { email, email_verified, locale } = claims
  const address = typeof email === 'string' ? email : null
  const isVerified = email_verified === true
  return {
    ...{ subject, address, isVerified },
    locale: typeof locale === 'string' ? locale : 'en',
    state: JSON.stringify([passwordHash, enabled, address, isVerified]),
  }
}
