/** Events and their checks as the API answers them. */
import { z } from 'zod'
import type { CheckResult, StoredEvent } from '#lib/ports/events.ts'
import { checkWords } from './check-words.ts'
import { eventNames, eventSentence } from './event-sentence.ts'
import type { Names } from './names.ts'

export const outcomeSchema = z.enum(['success', 'failure'])

export const eventViewSchema = z.object({
  id: z.string(),
  time: z.string(),
  name: z.enum(eventNames),
  outcome: outcomeSchema,
  sentence: z.string().describe('What happened, and why.'),
  client_id: z.string().nullable(),
  sub: z.string().nullable(),
  grant_type: z.string().nullable(),
  reason: z.string().nullable(),
  request_id: z.string().describe('Leads to the trace of its request.'),
  flow: z.string().nullable().describe('The same in everything that belongs to one sign-in.'),
  grant_id: z.string().nullable(),
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})

export function eventView(event: StoredEvent, names: Names): z.infer<typeof eventViewSchema> {
  return {
    id: event.id,
    time: event.time.toISOString(),
    name: event.name,
    outcome: event.outcome,
    sentence: eventSentence(event, names),
    client_id: event.clientId,
    sub: event.subject,
    grant_type: event.grantType,
    reason: event.reason,
    request_id: event.referenceId,
    flow: event.flow,
    grant_id: event.grantId,
    address: event.address,
    user_agent: event.userAgent,
    details: { ...event.details },
  }
}

export const checkViewSchema = z.object({
  check: z.string(),
  result: z.enum(['passed', 'failed', 'not_reached']),
  text: z.string().describe('What holds, or what was wrong.'),
  standard: z.string().describe('What asks for it.'),
  at_ms: z.number().nullable(),
  sent: z.string().nullable(),
  expected: z.array(z.string()),
})

/** `whyFailed`: the cause, for the check that failed. */
export function checkView(
  { check, result, atMs, sent, expected }: CheckResult,
  whyFailed: string,
): z.infer<typeof checkViewSchema> {
  const { text, standard } = checkWords(check)
  return {
    check,
    result,
    text: result === 'failed' ? whyFailed : text,
    standard,
    at_ms: atMs,
    sent: sent ?? null,
    expected: [...(expected ?? [])],
  }
}
