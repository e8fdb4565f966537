/** Sets the level of the log of all nodes for a while, by the operator. */
import { z } from 'zod'
import { secondsAfter } from '#lib/protocol/time.ts'
import { entryOf, type OperatorPorts } from './access/operator.ts'

export const temporaryLevels = ['error', 'warn', 'info', 'debug', 'trace'] as const
export type TemporaryLevel = (typeof temporaryLevels)[number]

/** The longest time for which a level can be set. */
export const longestLevelSeconds = 86_400

const metaName = 'log_level'

const storedSchema = z.object({ level: z.enum(temporaryLevels), until: z.coerce.date() })

/** Returns the level that is set at this time; `null`: that of `LOG_LEVEL`. */
export async function readLogLevel(
  { meta }: Pick<OperatorPorts, 'meta'>,
  now: Date,
): Promise<TemporaryLevel | null> {
  const stored = parse(await meta.find(metaName))
  return stored === null || stored.until <= now ? null : stored.level
}

function parse(text: string | null): z.output<typeof storedSchema> | null {
  if (text === null || text === '') return null
  const found = storedSchema.safeParse(JSON.parse(text))
  return found.success ? found.data : null
}

/**
 * Sets the level, with an audit row. All nodes read it within a second, and return to `LOG_LEVEL` when the time ends. `level: null` returns
 * to it now. Returns when the level ends; `null` if another command set a level at the same moment.
 */
export async function setLogLevel(
  { meta, adminStore, clock }: Pick<OperatorPorts, 'meta' | 'adminStore' | 'clock'>,
  { level, seconds }: { readonly level: TemporaryLevel | null; readonly seconds: number },
): Promise<Date | null> {
  const now = clock.now()
  const until = secondsAfter(now, level === null ? 0 : seconds)
  const from = await meta.settle(metaName, '')
  const to = level === null ? '' : JSON.stringify({ level, until })
  const audit = entryOf('command_line', {
    action: 'configuration.set_log_level',
    targetKind: 'configuration',
    targetId: 'log_level',
    before: { level: parse(from)?.level ?? null },
    after: { level, until: level === null ? null : until.toISOString() },
  })
  const write = { kind: 'replace_value', name: metaName, from, to } as const
  const { kind } = await adminStore.commit({ writes: [write], audit: [audit] }, now)
  return kind === 'done' ? until : null
}
