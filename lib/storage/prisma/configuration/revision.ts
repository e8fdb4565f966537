/** The one row that says whether the configuration changed. */
import type { Tables } from '../../database.ts'

const id = 'configuration'

export async function readRevision(tables: Tables): Promise<number> {
  const row = await tables.configurationRevision.findUnique({ where: { id } })
  return row?.revision ?? 0
}

/** Makes later writers wait until this transaction ends. */
export async function lockRevision(tables: Tables): Promise<void> {
  await tables.configurationRevision.upsert({
    where: { id },
    create: { id, revision: 0 },
    update: { revision: { increment: 0 } },
  })
}

export async function bumpRevision(tables: Tables): Promise<void> {
  await tables.configurationRevision.update({ where: { id }, data: { revision: { increment: 1 } } })
}
