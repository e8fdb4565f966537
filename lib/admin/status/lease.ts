/** Lets one caller of all nodes at a time do something that takes seconds, such as the checks of the doctor. */
import { z } from 'zod'
import type { Meta } from '#lib/ports/configuration-store.ts'
import { parseJson } from '#lib/protocol/text/json-text.ts'

const leaseSchema = z.object({ holder: z.string(), until: z.number() })

type LeasePorts = { readonly meta: Pick<Meta, 'find' | 'exchange'> }

/** `holder`: an unpredictable text, different in each call. `until`: the time at which the lease ends by itself. */
export type LeaseRequest = {
  readonly name: string
  readonly holder: string
  readonly until: Date
  /** Values that are stored with the lease while it lasts. */
  readonly details?: Readonly<Record<string, string>>
}

/**
 * Takes the lease. Returns the function that gives it back, or `null` if a different caller has it. A caller that dies keeps it
 * until `until`.
 */
export async function takeLease(
  { meta }: LeasePorts,
  { name, holder, until, details }: LeaseRequest,
  now: Date,
): Promise<(() => Promise<void>) | null> {
  const stored = await meta.find(name)
  const current = stored === null ? null : leaseSchema.safeParse(parseJson(stored)).data
  if (current != null && current.until > now.getTime()) return null
  const taken = JSON.stringify({ ...details, holder, until: until.getTime() })
  if (!(await meta.exchange(name, stored, taken))) return null
  return async () => {
    await meta.exchange(name, taken, JSON.stringify({ holder, until: 0 }))
  }
}
