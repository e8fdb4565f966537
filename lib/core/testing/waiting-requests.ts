/** Begins and continues pending authorization requests in tests. */
import assert from 'node:assert/strict'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, PendingHandle } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import type { AuthorizeOutcome } from '../authorize/authorize.ts'
import { authorize } from '../authorize/authorize.ts'
import { resume } from '../authorize/resume.ts'
import { context, type TestPorts } from './ports.ts'
import { validParameters } from './validation-input.ts'

export type Waiting = {
  readonly pending: PendingHandle
  readonly browser: BrowserHandle
  readonly at: string
}

/** Begins a request that becomes pending. */
export async function beginWaiting(
  t: TestPorts,
  parameters: Record<string, string>,
  session: Session | null = null,
): Promise<Waiting> {
  const browser = t.ports.random.handle('browser')
  const input = { parameters: parametersFrom({ ...validParameters, ...parameters }), session, browser }
  const outcome = await authorize(t.ports, input, context)
  if (outcome.kind === 'interact') return { pending: outcome.pending, browser, at: outcome.at }
  if (outcome.kind === 'forward')
    return { pending: outcome.pending, browser, at: `provider ${outcome.scheme}` }
  throw new Error(`did not wait: ${JSON.stringify(outcome)}`)
}

export function proceedWaiting(
  t: TestPorts,
  { pending, browser }: Waiting,
  session: Session | null,
): Promise<AuthorizeOutcome> {
  return resume(t.ports, { pending, browser, session }, context)
}

export function fieldsOf(outcome: AuthorizeOutcome): Record<string, string> {
  assert.equal(outcome.kind, 'respond')
  return outcome.kind === 'respond' ? Object.fromEntries(outcome.fields) : {}
}

/**
 * Summarizes an outcome: `show` with the reason, `pause` with the page, `forward` with the provider, the error code, or
 * the names of the response parameters.
 */
export function summary(outcome: AuthorizeOutcome): string {
  if (outcome.kind === 'error_page') return `show ${outcome.error.reason}`
  if (outcome.kind === 'interact') return `pause ${outcome.at}`
  if (outcome.kind === 'forward') return `forward ${outcome.scheme}`
  const fields = Object.fromEntries(outcome.fields)
  return fields.error ?? Object.keys(fields).join(' ')
}
