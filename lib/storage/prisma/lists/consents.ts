/** Remembered consents, the latest given first. */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { Database } from '../../database.ts'
import { consentFromRow, unexpired } from '../grants/consents.ts'
import { ownedBy } from './grants.ts'
import { momentSchema, pageOf, positionIn } from './page.ts'

const positionSchema = z.tuple([momentSchema, z.string(), z.string()])

export function createConsentLists(database: Database): Pick<AdminLists, 'consents'> {
  return {
    consents: async (filter, { after, limit }, now) => {
      const position = positionIn(after, positionSchema)
      const conditions = [ownedBy(filter), unexpired(now), ...(position === null ? [] : [beyond(position)])]
      const rows = await database.consent.findMany({
        where: { AND: conditions },
        orderBy: [{ updatedAt: 'desc' }, { subject: 'desc' }, { clientId: 'desc' }],
        take: limit + 1,
      })
      const page = pageOf(rows, limit, row => [row.updatedAt.getTime(), row.subject, row.clientId])
      return { ...page, items: page.items.map(consentFromRow) }
    },
  }
}

function beyond([time, subject, clientId]: z.infer<typeof positionSchema>) {
  return {
    updatedAt: { lte: time },
    OR: [{ updatedAt: { lt: time } }, { subject: { lt: subject } }, { subject, clientId: { lt: clientId } }],
  }
}
