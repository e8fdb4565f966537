/**
 * The ways to sign in of an account, locked so that concurrent removals cannot remove the last two.
 *
 * NOTE: transactions that lock several rows of an account do so in this order, so that they wait for each other and do not
 * deadlock: `User`, its passkeys, its authenticator app, then sessions and interrupted sign-ins, and everything else.
 */
import { z } from 'zod'
import type { LinkedIdentity } from '#lib/ports/account-links.ts'
import type { Passkey } from '#lib/ports/passkeys.ts'
import { type ExternalLogin, Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import { equals, providerScheme } from '../rows.ts'

type Locking = { readonly subject: string; readonly dialect: Database['dialect'] }

const lockedAccount = z.object({
  enabled: z.coerce.boolean(),
  hasPassword: z.coerce.boolean(),
  verifiedEmail: z.string().nullable(),
})

/** Returns the account; `null` if it is not in this store. A concurrent transaction that locks it waits; SQLite has one writer. */
export async function lockAccount(tables: Tables, { subject, dialect }: Locking) {
  const rows = await tables.$queryRaw(
    Prisma.sql`SELECT "enabled", "verifiedEmail", "passwordHash" IS NOT NULL AS "hasPassword"
      FROM "User" WHERE "subject" = ${subject} ${suffix(dialect)}`,
  )
  return z.array(lockedAccount).parse(rows)[0] ?? null
}

/** Returns a subject's passkeys. A concurrent transaction that locks them waits; SQLite has one writer. */
export async function lockPasskeys(
  tables: Tables,
  { subject, dialect }: Locking,
): Promise<ReadonlyArray<Pick<Passkey, 'id' | 'idp'>>> {
  const rows = await tables.$queryRaw(
    Prisma.sql`SELECT "id", "idp" FROM "Passkey" WHERE "subject" = ${subject} ORDER BY "id" ${suffix(dialect)}`,
  )
  return z.array(z.object({ id: z.string(), idp: z.string() })).parse(rows)
}

const lockedApp = z.object({ sealedSecret: z.string() })

/**
 * Returns the sealed secret of a subject's authenticator app; `null`: there is none. A concurrent transaction that locks it waits, also
 * for a subject without a row in `User`; SQLite has one writer.
 */
export async function lockApp(tables: Tables, { subject, dialect }: Locking) {
  const rows = await tables.$queryRaw(
    Prisma.sql`SELECT "sealedSecret" FROM "AuthenticatorApp" WHERE "subject" = ${subject} ${suffix(dialect)}`,
  )
  return z.array(lockedApp).parse(rows)[0] ?? null
}

function suffix(dialect: Database['dialect']): Prisma.Sql {
  return Prisma.raw(dialect === 'sqlite' ? '' : 'FOR UPDATE')
}

export function linksOf(tables: Tables, subject: string): Promise<ExternalLogin[]> {
  const orderBy = [{ createdAt: 'asc' }, { externalSubject: 'asc' }] as const
  return tables.externalLogin.findMany({ where: { subject: equals(subject) }, orderBy: [...orderBy] })
}

export function linkFromRow(row: ExternalLogin): LinkedIdentity {
  const { scheme, issuer, externalSubject, label, createdAt } = row
  return { scheme: providerScheme(scheme), issuer, subject: externalSubject, label, createdAt }
}
