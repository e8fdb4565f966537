/** The passkeys of subjects, their answers to offers, and the IDs of sealed values that were used. */

import type { Passkey, PasskeyRemoval, Passkeys, SubjectPreferences, UsedIds } from '#lib/ports/passkeys.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import { expired, type Store } from '../../store.ts'
import { putDeliveries } from '../outbox.ts'
import { changesOne, equals, subjectId } from '../rows.ts'
import { stillExists } from './change-source.ts'
import { endSessions } from './ended-sessions.ts'
import { sessionFromRow } from './session-rows.ts'
import { linkFromRow, linksOf, lockAccount, lockPasskeys } from './ways-in.ts'

export const passkeyStore: Store<Passkeys> = {
  create: database => ({
    allOf: async subject => {
      const where = { subject: equals(subject) }
      const rows = await database.passkey.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
      return rows.map(fromRow)
    },
    find: async id => {
      const row = await database.passkey.findUnique({ where: { id } })
      return row && fromRow(row)
    },
    count: () => database.passkey.count(),
    removeAll: async () => (await database.passkey.deleteMany({})).count,
    add: async (passkey, { most, notices, within }) => {
      try {
        return await database.$transaction(async tables => {
          const { dialect } = database
          await lockAccount(tables, { subject: passkey.subject, dialect })
          if (!(await stillExists(tables, { within, dialect }))) return 'ended'
          const count = await tables.passkey.count({ where: { subject: equals(passkey.subject) } })
          if (count >= most) return 'too_many'
          await tables.passkey.create({ data: toRow(passkey) })
          await putDeliveries(tables, notices)
          return 'added'
        })
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return 'duplicate'
      }
    },
    recordUse: ({ id, before, signatureCounter, isBackedUp }, now) =>
      changesOne(
        database.passkey.updateMany({
          where: { id: equals(id), signatureCounter: { equals: BigInt(before) } },
          data: { signatureCounter: BigInt(signatureCounter), isBackedUp, lastUsedAt: now },
        }),
      ),
    rename: (subject, id, name) =>
      changesOne(
        database.passkey.updateMany({
          where: { id: equals(id), subject: equals(subject) },
          data: { name },
        }),
      ),
    remove: ({ subject, id }, { notices, mayRemove, within, ...removal }) =>
      database.$transaction(async tables => {
        const { dialect } = database
        const account = await lockAccount(tables, { subject, dialect })
        const locked = await lockPasskeys(tables, { subject, dialect })
        const passkeys = locked.filter(passkey => passkey.id !== id)
        if (passkeys.length === locked.length) return 'unknown'
        if (!(await stillExists(tables, { within, dialect }))) return 'unknown'
        const links = account === null ? [] : (await linksOf(tables, subject)).map(linkFromRow)
        if (!mayRemove(account && { hasPassword: account.hasPassword, links, passkeys })) return 'last'
        await tables.passkey.deleteMany({ where: { id: equals(id), subject: equals(subject) } })
        await endSessionsWith(tables, { subject, id }, removal)
        await putDeliveries(tables, notices)
        return 'removed'
      }),
  }),
}

type Ending = Pick<PasskeyRemoval, 'keeps' | 'now'>

/** Ends the sessions that the passkey opened or confirmed. Sessions of earlier releases do not name their passkey, and end as well. */
export async function endSessionsWith(
  tables: Tables,
  passkey: Pick<Passkey, 'subject' | 'id'>,
  ending: Ending,
): Promise<void> {
  await tables.partialSignIn.deleteMany({ where: { subject: equals(passkey.subject) } })
  await endCurrentSessions(tables, passkey, ending)
  // A session that was being replaced at this moment has a new row
  await endCurrentSessions(tables, passkey, ending)
}

async function endCurrentSessions(
  tables: Tables,
  { subject, id }: Pick<Passkey, 'subject' | 'id'>,
  { keeps, now }: Ending,
): Promise<void> {
  const sessions = await tables.session.findMany({ where: { subject: equals(subject) } })
  const isFactorOf = ({ details: { factors = [] } }: Session) =>
    factors.some(({ kind, passkey = id }) => kind === 'passkey' && passkey === id)
  for (const session of sessions.map(sessionFromRow).filter(isFactorOf)) {
    const { sessionId } = session
    if (sessionId !== null && sessionId !== keeps)
      await endSessions(tables, { sessionId }, 'ended_by_user', now)
  }
}

type Row = NonNullable<Awaited<ReturnType<Tables['passkey']['findUnique']>>>

function toRow({ transports, signatureCounter, ...passkey }: Passkey): Row {
  return { ...passkey, transports: transports.join(' '), signatureCounter: BigInt(signatureCounter) }
}

function fromRow({ transports, signatureCounter, subject, ...row }: Row): Passkey {
  return {
    ...row,
    subject: subjectId(subject),
    transports: transports === '' ? [] : transports.split(' '),
    signatureCounter: Number(signatureCounter),
  }
}

export const subjectPreferenceStore: Store<SubjectPreferences> = {
  create: database => ({
    find: async subject => {
      const row = await database.subjectPreference.findUnique({ where: { subject } })
      return {
        passkeyOfferedAt: row?.passkeyOfferedAt ?? null,
        refusesPasskeys: row?.refusesPasskeys ?? false,
      }
    },
    put: async (subject, preference) => {
      const create = { subject, ...preference }
      await database.subjectPreference.upsert({ where: { subject }, create, update: preference })
    },
    emailOfferedAt: async subject => {
      const row = await database.subjectPreference.findUnique({ where: { subject } })
      return row?.emailOfferedAt ?? null
    },
    putEmailOffer: async (subject, at) => {
      const offered = { emailOfferedAt: at }
      const create = { subject, ...offered }
      await database.subjectPreference.upsert({ where: { subject }, create, update: offered })
    },
    findAcceptedTerms: async subject => {
      const row = await database.subjectPreference.findUnique({ where: { subject } })
      if (row === null || row.acceptedTerms === null || row.acceptedTermsAt === null) return null
      return { version: row.acceptedTerms, acceptedAt: row.acceptedTermsAt }
    },
    acceptTerms: async (subject, { version, acceptedAt }) => {
      const terms = { acceptedTerms: version, acceptedTermsAt: acceptedAt }
      const create = { subject, ...terms }
      await database.subjectPreference.upsert({ where: { subject }, create, update: terms })
    },
  }),
}

export const usedIdStore: Store<UsedIds> = {
  create: database => ({
    claim: async (id, expiresAt) => {
      try {
        await database.usedId.create({ data: { id, expiresAt } })
        return true
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return false
      }
    },
  }),
  purge: [expired('used_ids', 'UsedId')],
}
