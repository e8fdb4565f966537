/** Authenticator apps with their recovery codes, and trusted browsers. */
import type { AdminWrite } from '#lib/ports/admin-store.ts'
import type {
  AppSetUp,
  AuthenticatorApp,
  SecondFactors,
  TrustedBrowser,
  TrustedBrowsers,
} from '#lib/ports/second-factors.ts'
import type { AuthenticatorApp as AppRow } from '#prisma/generated/sqlite/client.ts'
import type { Database, Dialect, Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import { statement } from '../../sql/statement.ts'
import { table } from '../../sql/table.ts'
import { expired, type Store } from '../../store.ts'
import { putDeliveries } from '../outbox.ts'
import { branded, changesOne, equals } from '../rows.ts'
import { stillExists } from './change-source.ts'
import { lockAccount, lockApp, lockPasskeys } from './ways-in.ts'

export const secondFactorStore: Store<SecondFactors> = {
  create: database => ({
    findApp: async subject => {
      const cells = await database.$first(statements.appOfSubject, [subject])
      const row = cells && appTable.read(cells)
      return row && branded<AuthenticatorApp>(row)
    },
    countRecoveryCodes: subject =>
      database.recoveryCode.count({ where: { subject: equals(subject), usedAt: null } }),
    setApp: async (app, { replaces, codes, notices, within }) => {
      try {
        return await database.$transaction(async tables => {
          await lockFactors(tables, app, database)
          if (!(await stillExists(tables, { within, dialect: database.dialect }))) return false
          if (!(await putApp(tables, app, replaces))) return false
          await putRecoveryCodes(tables, { subject: app.subject, codes, createdAt: app.createdAt })
          await putDeliveries(tables, notices)
          return true
        })
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return false
      }
    },
    claimStep: ({ subject, sealedSecret }, step, { now, notices }) => {
      const unchanged = { subject: equals(subject), sealedSecret: equals(sealedSecret) }
      const where = { ...unchanged, lastStep: { lt: step } }
      const data = { lastStep: step, lastUsedAt: now }
      if (notices.length === 0) return changesOne(database.authenticatorApp.updateMany({ where, data }))
      return database.$transaction(async tables => {
        const isAccepted = await changesOne(tables.authenticatorApp.updateMany({ where, data }))
        if (isAccepted) await putDeliveries(tables, notices)
        return isAccepted
      })
    },
    claimRecoveryCode: (subject, code, { now, notices }) =>
      database.$transaction(async tables => {
        const where = { subject: equals(subject), digest: equals(code), usedAt: null }
        const isUsed = await changesOne(tables.recoveryCode.updateMany({ where, data: { usedAt: now } }))
        if (isUsed) await putDeliveries(tables, notices)
        return isUsed
      }),
    replaceRecoveryCodes: (subject, codes, { now, form, notices, within }) =>
      database.$transaction(async tables => {
        const app = await lockFactors(tables, { subject }, database)
        if (app === null || !(await stillExists(tables, { within, dialect: database.dialect }))) return 'gone'
        // The lock makes a concurrent caller with the same form wait
        if ((await tables.usedId.findUnique({ where: { id: form.id } })) !== null) return 'repeated'
        await tables.usedId.create({ data: form })
        await putRecoveryCodes(tables, { subject, codes, createdAt: now })
        await putDeliveries(tables, notices)
        return 'replaced'
      }),
    removeApp: (subject, { notices, within }) =>
      database.$transaction(async tables => {
        await lockFactors(tables, { subject }, database)
        if (!(await stillExists(tables, { within, dialect: database.dialect }))) return false
        const isRemoved = await removeSecondFactors(tables, subject)
        if (isRemoved) await putDeliveries(tables, notices)
        return isRemoved
      }),
  }),
}

/** Locks the account and its authenticator app, which is returned; `null`: there is none. */
async function lockFactors(
  tables: Tables,
  { subject }: Pick<AuthenticatorApp, 'subject'>,
  { dialect }: Pick<Database, 'dialect'>,
) {
  await lockAccount(tables, { subject, dialect })
  return lockApp(tables, { subject, dialect })
}

const appTable = table<AppRow>('AuthenticatorApp', { createdAt: 'time', lastUsedAt: 'time' })

const statements = {
  /** Read in every sign-in. $1 subject */
  appOfSubject: statement(`SELECT ${appTable.of('a')} FROM "AuthenticatorApp" a WHERE a."subject" = $1`),
}

/**
 * A replaced app keeps the time at which the account got its first one: a link in a mail takes back only a second factor that
 * the account did not have before.
 *
 * Returns false if the subject no longer has the replaced app. Throws a duplicate if there was to be none, and there is one.
 */
async function putApp(
  tables: Tables,
  app: AuthenticatorApp,
  replaces: AppSetUp['replaces'],
): Promise<boolean> {
  const { subject, ...columns } = app
  if (replaces === null) {
    await tables.authenticatorApp.create({ data: app })
    return true
  }
  const where = { subject: equals(subject), sealedSecret: equals(replaces.sealedSecret) }
  const { createdAt: _first, ...replacing } = columns
  return changesOne(tables.authenticatorApp.updateMany({ where, data: replacing }))
}

type CodesToPut = { readonly subject: string; readonly codes: readonly string[]; readonly createdAt: Date }

async function putRecoveryCodes(tables: Tables, { subject, codes, createdAt }: CodesToPut): Promise<void> {
  await tables.recoveryCode.deleteMany({ where: { subject: equals(subject) } })
  await tables.recoveryCode.createMany({ data: codes.map(digest => ({ subject, digest, createdAt })) })
}

/** Deletes the app, the recovery codes and the trusted browsers of a subject. Returns false if there was no app. */
async function removeSecondFactors(tables: Tables, subject: string): Promise<boolean> {
  const where = { subject: equals(subject) }
  const { count } = await tables.authenticatorApp.deleteMany({ where })
  await tables.recoveryCode.deleteMany({ where })
  await tables.trustedBrowser.deleteMany({ where })
  return count > 0
}

type FactorReset = Extract<AdminWrite, { kind: 'reset_factors' }>

/** Resets the factors of a subject. Returns the number of removed authenticator apps and passkeys. */
export async function resetFactors(
  tables: Tables,
  { subject, passkeys, notices }: FactorReset,
  dialect: Dialect,
): Promise<number> {
  const where = { subject: equals(subject) }
  await lockAccount(tables, { subject, dialect })
  await lockPasskeys(tables, { subject, dialect })
  const hadApp = await removeSecondFactors(tables, subject)
  const { count } = passkeys ? await tables.passkey.deleteMany({ where }) : { count: 0 }
  await tables.partialSignIn.deleteMany({ where })
  const removed = count + (hadApp ? 1 : 0)
  if (removed > 0) await putDeliveries(tables, notices)
  return removed
}

/** Deletes the passkeys, the app and the recovery codes of a subject that were stored at this time or later. */
export async function removeWaysInSince(tables: Tables, subject: string, since: Date): Promise<void> {
  const where = { subject: equals(subject), createdAt: { gte: since } }
  await tables.passkey.deleteMany({ where })
  if ((await tables.authenticatorApp.findFirst({ where })) !== null)
    await removeSecondFactors(tables, subject)
  else await tables.recoveryCode.deleteMany({ where })
}

/** Deletes every way to sign in of a deleted subject, so that a later subject of the same name does not get them. */
export async function removeWaysIn(tables: Tables, subject: string): Promise<void> {
  const where = { subject: equals(subject) }
  await removeSecondFactors(tables, subject)
  await tables.passkey.deleteMany({ where })
  await tables.subjectPreference.deleteMany({ where })
  await tables.mailProof.deleteMany({ where })
  await tables.plannedChange.deleteMany({ where })
  await tables.takenBackChange.deleteMany({ where })
}

export const trustedBrowserStore: Store<TrustedBrowsers> = {
  create: database => ({
    add: (browser, earlier, { sealedSecret }) =>
      database.$transaction(async tables => {
        await lockFactors(tables, browser, database)
        const unchanged = { subject: equals(browser.subject), sealedSecret: equals(sealedSecret) }
        if ((await tables.authenticatorApp.count({ where: unchanged })) === 0) return false
        const where = { digest: { in: [...earlier] }, subject: equals(browser.subject) }
        await tables.trustedBrowser.deleteMany({ where })
        await tables.trustedBrowser.create({ data: browser })
        return true
      }),
    use: async (digests, subject, now) => {
      const which = { digest: { in: [...digests] }, subject: equals(subject), expiresAt: { gt: now } }
      const row = await database.trustedBrowser.findFirst({ where: which })
      if (row === null) return null
      const where = { digest: equals(row.digest) }
      const isTrusted = await changesOne(
        database.trustedBrowser.updateMany({ where, data: { lastUsedAt: now } }),
      )
      return isTrusted ? branded<TrustedBrowser>(row).digest : null
    },
    allOf: async (subject, now) => {
      const where = { subject: equals(subject), expiresAt: { gt: now } }
      const rows = await database.trustedBrowser.findMany({ where, orderBy: { lastUsedAt: 'desc' } })
      return rows.map(branded<TrustedBrowser>)
    },
    remove: async (subject, id) => {
      const which = id === null ? {} : { id: equals(id) }
      const { count } = await database.trustedBrowser.deleteMany({
        where: { subject: equals(subject), ...which },
      })
      return count
    },
  }),
  purge: [expired('trusted_browsers', 'TrustedBrowser')],
}
