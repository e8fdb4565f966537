/** Verifies the audit log once a day, and stores and reads the result. */
import { z } from 'zod'
import { auditCheck as limits } from '#lib/config/limits.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import { parseJson } from '#lib/protocol/text/json-text.ts'

const name = 'audit-check'

const foundSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('intact'), rows: z.int() }),
  z.object({
    kind: z.literal('broken'),
    seq: z.int(),
    problem: z.enum(['changed', 'missing', 'end', 'noted']),
  }),
])
const checkSchema = z.object({ at: z.iso.datetime(), found: foundSchema })

export type AuditFound = z.output<typeof foundSchema>
export type AuditCheck = { readonly at: Date; readonly found: AuditFound }

/** Reads the last result; `null` if the audit log was never verified, or if the stored value is invalid. */
export async function readAuditCheck(meta: Pick<Meta, 'find'>): Promise<AuditCheck | null> {
  const text = await meta.find(name)
  const read = text === null ? null : checkSchema.safeParse(parseJson(text)).data
  return read ? { at: new Date(read.at), found: read.found } : null
}

/** Verifies the audit log unless that was done within a day. Several nodes may do it at the same time. */
export async function checkAudit(
  meta: Pick<Meta, 'find' | 'replace'>,
  verify: () => Promise<AuditFound>,
  now: Date,
): Promise<void> {
  const last = await readAuditCheck(meta)
  if (last !== null && now.getTime() - last.at.getTime() < limits.everySeconds * 1000) return
  const found = foundSchema.parse(await verify())
  await meta.replace(name, JSON.stringify({ at: now.toISOString(), found }))
}
