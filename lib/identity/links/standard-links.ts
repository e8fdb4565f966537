/** The links of the default user service, and the account that the verified address of an identity leads to. */
import type { AccountLinks, MatchingAccount } from '#lib/ports/account-links.ts'
import type { ExternalIdentity, Users } from '#lib/ports/users.ts'
import { verifiedEmailOf } from '#lib/protocol/text/user-names.ts'

export function standardLinks(users: Users): AccountLinks {
  const { list, add, remove } = users.links
  return { list, add, remove, match: identity => matchingAccount(users, identity) }
}

async function matchingAccount(users: Users, identity: ExternalIdentity): Promise<MatchingAccount | null> {
  const email = verifiedEmailOf(identity.claims)
  if (email === null || (await users.findByExternal(identity)) !== null) return null
  const [user, ...others] = await users.listByVerifiedEmail(email, 2)
  if (user === undefined || others.length > 0 || !user.enabled) return null
  const { subject, username, passwordHash } = user
  const [links, unlinked] = await Promise.all([users.links.list(subject), users.links.listUnlinked(subject)])
  const schemes = links.map(({ scheme }) => scheme)
  return { subject, username, hasPassword: passwordHash !== null, schemes, unlinked }
}
