/** Pages read through the same use cases as the API: one guard, one schema, one answer. */
import type { Query } from '#app/_ui/visit.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import type { Caller } from '#lib/admin/use-case.ts'
import { type AdminPage, PageRefusal } from './admin-page.ts'

type Reading<I, O> = {
  readonly call: (ports: AdminPorts, raw: I, visit: Caller) => Promise<AdminResult<O>>
}

export type OutputOf<R> = R extends { readonly call: (...given: never[]) => Promise<AdminResult<infer O>> }
  ? O
  : never

/** What the use case answers; what is not there is a 404 in the dashboard. */
export async function callUseCase<I, O>(page: AdminPage, reading: Reading<I, O>, input: I): Promise<O> {
  const result = await reading.call(page.ports, input, { actor: page.actor, context: page.context })
  if (result.kind === 'ok') return result.value
  throw result.kind === 'denied'
    ? new PageRefusal('role', page, result.reason)
    : new PageRefusal('thing', page)
}

/** A filter left at "all" comes as an empty text, and means none. */
export function withoutEmptyValues(query: Query): Query {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}
