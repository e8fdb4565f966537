/** The links between users of the default user service and identities at identity providers. */
import { z } from 'zod'
import type { AccountLinks, LinkAddition, LinkedIdentity } from '#lib/ports/account-links.ts'
import type { ExternalKey } from '#lib/ports/users.ts'
import { type ExternalLogin, Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import { providerFromRow } from '../configuration/identity-providers.ts'
import { putDeliveries } from '../outbox.ts'
import { equals, providerScheme } from '../rows.ts'
import { stillExists } from './change-source.ts'
import { endSessions } from './ended-sessions.ts'
import { lockPasskeys } from './passkeys.ts'

export function createAccountLinks(database: Database): AccountLinks {
  return {
    list: async subject => (await linksOf(database, subject)).map(linkFromRow),
    add: (subject, { label, ...key }, change) =>
      addLink(database, { ...linkOf(key), subject, label }, change),
    remove: (subject, key, change) =>
      database.$transaction(tables => removeLink(tables, { subject, key, ...change }, database.dialect)),
  }
}

export function linkOf({ scheme, issuer, subject }: ExternalKey) {
  return { scheme, issuer, externalSubject: subject }
}

function linksOf(tables: Tables, subject: string): Promise<ExternalLogin[]> {
  const orderBy = [{ createdAt: 'asc' }, { externalSubject: 'asc' }] as const
  return tables.externalLogin.findMany({ where: { subject: equals(subject) }, orderBy: [...orderBy] })
}

async function addLink(
  database: Database,
  link: Omit<ExternalLogin, 'createdAt'>,
  { now, most, notices, within, mayLink }: LinkAddition,
): ReturnType<AccountLinks['add']> {
  const { subject } = link
  try {
    return await database.$transaction(async tables => {
      const account = await lockAccount(tables, subject, database.dialect)
      if (account?.enabled !== true) return 'refused'
      if (!(await stillExists(tables, { within, dialect: database.dialect }))) return 'refused'
      const provider = await tables.identityProvider.findUnique({ where: { scheme: link.scheme } })
      if (!mayLink(provider && providerFromRow(provider))) return 'not_allowed'
      const owner = await ownerOf(tables, link)
      if (owner !== null) return owner === subject ? 'known' : 'taken'
      if ((await linksOf(tables, subject)).length >= most) return 'too_many'
      await tables.externalLogin.create({ data: { ...link, createdAt: now } })
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
  { subject, key, now, mayRemove, notices }: Removal,
  dialect: Database['dialect'],
): ReturnType<AccountLinks['remove']> {
  const account = await lockAccount(tables, subject, dialect)
  const links = await linksOf(tables, subject)
  const isOther = (link: ExternalLogin) =>
    link.scheme !== key.scheme || link.issuer !== key.issuer || link.externalSubject !== key.subject
  const others = links.filter(isOther)
  if (account === null || others.length === links.length) return 'unknown'
  const passkeys = await lockPasskeys(tables, { subject, dialect })
  if (!mayRemove({ hasPassword: account.hasPassword, links: others.map(linkFromRow), passkeys }))
    return 'last'
  await deleteLink(tables, { subject, key, now })
  await putDeliveries(tables, notices)
  return 'removed'
}

/** Deletes a link, and ends what began with it. Returns false if the account does not have it. */
export async function deleteLink(
  tables: Tables,
  { subject, key, now }: Pick<Removal, 'subject' | 'key' | 'now'>,
): Promise<boolean> {
  const { scheme, issuer, externalSubject } = linkOf(key)
  const where = { scheme, issuer: equals(issuer), externalSubject: equals(externalSubject) }
  const { count } = await tables.externalLogin.deleteMany({ where: { ...where, subject: equals(subject) } })
  if (count === 0) return false
  await endSessions(tables, { subject, idp: scheme }, 'provider_unlinked', now)
  // Proofs of an identity that are not used yet end as well
  await tables.partialSignIn.deleteMany({ where: { subject: equals(subject) } })
  return true
}

const lockedAccount = z.object({ enabled: z.coerce.boolean(), hasPassword: z.coerce.boolean() })

/** Returns the account. A concurrent transaction that locks it waits; SQLite has one writer. */
async function lockAccount(tables: Tables, subject: string, dialect: Database['dialect']) {
  const locked = Prisma.raw(dialect === 'sqlite' ? '' : 'FOR UPDATE')
  const rows = await tables.$queryRaw(
    Prisma.sql`SELECT "enabled", "passwordHash" IS NOT NULL AS "hasPassword" FROM "User" WHERE "subject" = ${subject} ${locked}`,
  )
  return z.array(lockedAccount).parse(rows)[0] ?? null
}

export function linkFromRow({
  scheme,
  issuer,
  externalSubject,
  label,
  createdAt,
}: ExternalLogin): LinkedIdentity {
  return { scheme: providerScheme(scheme), issuer, subject: externalSubject, label, createdAt }
}
