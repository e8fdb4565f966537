/** Pages read through the same use cases as the API: one guard, one schema, one answer. */
import { notFound } from 'next/navigation'
import type { Query } from '#app/_ui/visit.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import type { Visit } from '#lib/admin/use-case.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { AdminPage } from './admin-page.ts'

type Reading<I, O> = {
  readonly call: (ports: AdminPorts, raw: I, visit: Visit) => Promise<AdminResult<O>>
}

export type OutputOf<R> = R extends { readonly call: (...given: never[]) => Promise<AdminResult<infer O>> }
  ? O
  : never

/** What the use case answers; what is not there is the 404 page. */
export async function readThrough<I, O>(page: AdminPage, reading: Reading<I, O>, input: I): Promise<O> {
  const result = await reading.call(page.ports, input, { actor: page.actor, context: page.context })
  if (result.kind === 'ok') return result.value
  if (result.kind === 'denied') throw new OauthError('access_denied', 'admin_not_allowed', result.reason)
  notFound()
}

/** A filter left at "all" comes as an empty text, and means none. */
export function filledIn(query: Query): Query {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}
