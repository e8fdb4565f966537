/** The links between users of the default user service and identities at identity providers. */
import type { AccountLinks, LinkAddition, StoredLinks } from '#lib/ports/account-links.ts'
import type { AdminWrite } from '#lib/ports/admin-store.ts'
import type { ExternalKey } from '#lib/ports/users.ts'
import type { ExternalLogin, Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import { providerFromRow } from '../configuration/identity-providers.ts'
import { putDeliveries } from '../outbox.ts'
import { equals, providerScheme, type Writing } from '../rows.ts'
import { stillExists } from './change-source.ts'
import { endSessions } from './ended-sessions.ts'
import { linkFromRow, linksOf, lockAccount, lockPasskeys } from './ways-in.ts'

export function createAccountLinks(database: Database): StoredLinks {
  return {
    list: async subject => (await linksOf(database, subject)).map(linkFromRow),
    add: (subject, { label, ...key }, change) =>
      addLink(database, { ...linkOf(key), subject, label }, change),
    listUnlinked: async subject => {
      const rows = await database.unlinkedIdentity.findMany({ where: { subject: equals(subject) } })
      return rows.map(({ scheme, issuer, externalSubject }) => ({
        ...{ scheme: providerScheme(scheme), issuer, subject: externalSubject },
      }))
    },
    remove: (subject, key, change) =>
      database.$transaction(tables => removeLink(tables, { subject, key, ...change }, database.dialect)),
  }
}

export function linkOf({ scheme, issuer, subject }: ExternalKey) {
  return { scheme, issuer, externalSubject: subject }
}

async function addLink(
  database: Database,
  link: Omit<ExternalLogin, 'createdAt'>,
  { now, most, notices, within, address, mayLink }: LinkAddition,
): ReturnType<AccountLinks['add']> {
  const { subject } = link
  const { dialect } = database
  try {
    return await database.$transaction(async tables => {
      const account = await lockAccount(tables, { subject, dialect })
      if (account?.enabled !== true) return 'refused'
      if (address !== undefined && account.verifiedEmail !== address) return 'not_proven'
      if (!(await stillExists(tables, { within, dialect }))) return 'not_proven'
      const provider = await tables.identityProvider.findUnique({ where: { scheme: link.scheme } })
      if (!mayLink(provider && providerFromRow(provider))) return 'not_allowed'
      const owner = await ownerOf(tables, link)
      if (owner !== null) return owner === subject ? 'known' : 'taken'
      if (address !== undefined && (await hasHadIdentity(tables, link))) return 'had_identity'
      if ((await linksOf(tables, subject)).length >= most) return 'too_many'
      await tables.externalLogin.create({ data: { ...link, createdAt: now } })
      await tables.unlinkedIdentity.deleteMany({ where: whichLink(link) })
      await putDeliveries(tables, notices)
      return 'added'
    })
  } catch (error) {
    // A concurrent transaction stored the identity first
    const owner = isDuplicate(error) ? await ownerOf(database, link) : null
    if (owner === null) throw error
    return owner === subject ? 'known' : 'taken'
  }
}

/** Whether the account has, or had, an identity at the provider: an address there may have a new owner. */
async function hasHadIdentity(
  tables: Tables,
  { subject, scheme }: Pick<ExternalLogin, 'subject' | 'scheme'>,
): Promise<boolean> {
  const where = { subject: equals(subject), scheme: equals(scheme) }
  const linked = await tables.externalLogin.findFirst({ where })
  return linked !== null || (await tables.unlinkedIdentity.findFirst({ where })) !== null
}

async function ownerOf(
  tables: Tables,
  { scheme, issuer, externalSubject }: Pick<ExternalLogin, 'scheme' | 'issuer' | 'externalSubject'>,
): Promise<string | null> {
  const where = { scheme_issuer_externalSubject: { scheme, issuer, externalSubject } }
  return (await tables.externalLogin.findUnique({ where }))?.subject ?? null
}

type Removal = { readonly subject: string; readonly key: ExternalKey } & Parameters<AccountLinks['remove']>[2]

async function removeLink(
  tables: Tables,
  { subject, key, now, mayRemove, notices, within }: Removal,
  dialect: Database['dialect'],
): ReturnType<AccountLinks['remove']> {
  const account = await lockAccount(tables, { subject, dialect })
  const links = await linksOf(tables, subject)
  const isOther = (link: ExternalLogin) =>
    link.scheme !== key.scheme || link.issuer !== key.issuer || link.externalSubject !== key.subject
  const others = links.filter(isOther)
  if (account === null || others.length === links.length) return 'unknown'
  const passkeys = await lockPasskeys(tables, { subject, dialect })
  if (!(await stillExists(tables, { within, dialect }))) return 'unknown'
  if (!mayRemove({ hasPassword: account.hasPassword, links: others.map(linkFromRow), passkeys }))
    return 'last'
  await deleteLink(tables, { subject, key, now })
  await putDeliveries(tables, notices)
  return 'removed'
}

type OwnedLink = Pick<ExternalLogin, 'scheme' | 'issuer' | 'externalSubject' | 'subject'>

function whichLink({ scheme, issuer, externalSubject, subject }: OwnedLink) {
  return {
    ...{ scheme: equals(scheme), issuer: equals(issuer) },
    ...{ externalSubject: equals(externalSubject), subject: equals(subject) },
  }
}

/** Deletes the links, and remembers them: see `UnlinkedIdentity`. Returns their number. */
export async function deleteLinks(
  tables: Tables,
  where: Prisma.ExternalLoginWhereInput,
  now: Date,
): Promise<number> {
  let deleted = 0
  for (const { scheme, issuer, externalSubject, subject } of await tables.externalLogin.findMany({ where })) {
    const key = { scheme, issuer, externalSubject, subject }
    const { count } = await tables.externalLogin.deleteMany({ where: whichLink(key) })
    deleted += count
    const remembered = { where: { subject_scheme_issuer_externalSubject: key }, update: { unlinkedAt: now } }
    if (count > 0)
      await tables.unlinkedIdentity.upsert({ ...remembered, create: { ...key, unlinkedAt: now } })
  }
  return deleted
}

/** Deletes a link, and ends what began with it. Returns false if the account does not have it. */
async function deleteLink(
  tables: Tables,
  { subject, key, now }: Pick<Removal, 'subject' | 'key' | 'now'>,
): Promise<boolean> {
  if ((await deleteLinks(tables, whichLink({ ...linkOf(key), subject }), now)) === 0) return false
  await endSessions(tables, { subject, idp: key.scheme }, 'provider_unlinked', now)
  // Proofs of an identity that are not used yet end as well
  await tables.partialSignIn.deleteMany({ where: { subject: equals(subject) } })
  return true
}

/** Unlinks an identity for an administrator. Returns false if the account does not have it. */
export async function unlinkAccount(
  tables: Tables,
  { account, key, notices }: Extract<AdminWrite, { kind: 'unlink' }>,
  { now, dialect }: Writing,
): Promise<boolean> {
  await lockAccount(tables, { subject: account, dialect })
  if (!(await deleteLink(tables, { subject: account, key, now }))) return false
  await putDeliveries(tables, notices)
  return true
}
