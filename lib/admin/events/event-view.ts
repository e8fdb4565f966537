/** Converts events, their checks and the trace of a request to the format of the API. */

import { z } from 'zod'
import { type CheckResult, checkWords } from '#lib/errors/checks.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import type { Names } from '../names.ts'
import { eventNames, eventSentence } from './event-sentence.ts'
import type { RequestTrace } from './request-trace.ts'

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
  flow: z.string().nullable().describe('The same for all events of one sign-in.'),
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
    request_id: event.requestId,
    flow: event.flow,
    grant_id: event.grantId,
    address: event.address,
    user_agent: event.userAgent,
    details: { ...event.details },
  }
}

const checkViewSchema = z.object({
  check: z.string(),
  result: z.enum(['passed', 'failed', 'not_reached']),
  text: z.string().describe('The condition, or why it failed.'),
  standard: z.string().describe('The standard that requires it.'),
  at_ms: z.number().nullable(),
  sent: z.string().nullable(),
  expected: z.array(z.string()),
})

/** Describes a check. `whyFailed` is the cause, used if this check failed. */
function checkView(
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

const markedSchema = z.object({ before: z.string(), changed: z.string(), after: z.string() })

export const requestTraceViewSchema = z.object({
  request_id: z.string(),
  sentence: z.string(),
  event: eventViewSchema.describe(
    'The first failure, which causes the later ones; otherwise the last event.',
  ),
  checks: z.array(checkViewSchema).describe('In the order in which they were made.'),
  failed: checkViewSchema.nullable(),
  difference: z
    .object({ sent: markedSchema, expected: markedSchema, others: z.array(z.string()) })
    .nullable()
    .describe('The value sent and the most similar valid value.'),
  remedy: z
    .object({
      sentence: z.string(),
      action: z
        .object({
          use_case: z.string(),
          label: z.string(),
          input: z.record(z.string(), z.string()),
          warning: z.string().nullable().describe('The consequences, to be confirmed first.'),
        })
        .nullable(),
      done: z.string().nullable().describe('It is already done.'),
      page: z.string().nullable().describe('The page of the dashboard for the remedy.'),
    })
    .nullable(),
  shown_page: z
    .enum(['page', 'form', 'redirect'])
    .nullable()
    .describe(
      'An error page; the form again; a redirect to the client with the error; null: not in a browser.',
    ),
  related: z
    .array(eventViewSchema)
    .describe('All events of the sign-in, oldest first, including this request.'),
  stopped: z
    .string()
    .nullable()
    .describe('The step at which the sign-in waits or ended; null: it was answered.'),
  duration_ms: z.number(),
})

type RequestTraceView = z.infer<typeof requestTraceViewSchema>

export function requestTraceView(trace: RequestTrace): RequestTraceView {
  const { names } = trace
  return {
    request_id: trace.requestId,
    sentence: trace.sentence,
    event: eventView(trace.main, names),
    checks: trace.checks.map(check => checkView(check, trace.whyFailed)),
    failed: trace.failed && checkView(trace.failed, trace.whyFailed),
    difference: trace.difference && { ...trace.difference, others: [...trace.difference.others] },
    remedy: remedyView(trace.remedy),
    shown_page: trace.shownPage?.kind ?? null,
    related: trace.related.map(({ event }) => eventView(event, names)),
    stopped: trace.stopped,
    duration_ms: trace.durationMs,
  }
}

function remedyView(remedy: RequestTrace['remedy']): RequestTraceView['remedy'] {
  if (remedy === null) return null
  const { sentence, action, done, href } = remedy
  const offered = action && {
    use_case: action.useCase,
    label: action.label,
    input: { ...action.input },
    warning: action.warning,
  }
  return { sentence, action: offered, done, page: href }
}
