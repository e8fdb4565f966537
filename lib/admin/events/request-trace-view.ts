/** The trace of one request as the API answers it. */
import { z } from 'zod'
import type { Marked } from './difference.ts'
import { checkView, checkViewSchema, eventView, eventViewSchema } from './event-view.ts'
import type { RequestTrace } from './request-trace.ts'

const markedSchema = z.object({ before: z.string(), changed: z.string(), after: z.string() })

export const requestTraceViewSchema = z.object({
  request_id: z.string(),
  sentence: z.string(),
  event: eventViewSchema.describe(
    'The first that failed, which is the cause of those after it; else the last.',
  ),
  checks: z.array(checkViewSchema).describe('In the order in which they were made.'),
  failed: checkViewSchema.nullable(),
  difference: z
    .object({ sent: markedSchema, expected: markedSchema, others: z.array(z.string()) })
    .nullable()
    .describe('What was sent beside the nearest of what would have been right.'),
  remedy: z
    .object({
      sentence: z.string(),
      action: z
        .object({
          use_case: z.string(),
          label: z.string(),
          input: z.record(z.string(), z.string()),
          warning: z.string().nullable().describe('What follows from it, to be confirmed first.'),
        })
        .nullable(),
      done: z.string().nullable().describe('That it has been done already.'),
      page: z.string().nullable().describe('Where the dashboard puts it right.'),
    })
    .nullable(),
  shown_page: z
    .enum(['page', 'form', 'app_told'])
    .nullable()
    .describe('An error page; the form again; nothing, because the app was told; null: nobody was there.'),
  related: z.array(eventViewSchema).describe('The whole sign-in, oldest first, this request included.'),
  duration_ms: z.number(),
})

type RequestTraceView = z.infer<typeof requestTraceViewSchema>

export function requestTraceView(trace: RequestTrace): RequestTraceView {
  const { names } = trace
  return {
    request_id: trace.referenceId,
    sentence: trace.sentence,
    event: eventView(trace.main, names),
    checks: trace.checks.map(check => checkView(check, trace.whyFailed)),
    failed: trace.failed && checkView(trace.failed, trace.whyFailed),
    difference: differenceView(trace.difference),
    remedy: remedyView(trace.remedy),
    shown_page: trace.shownPage?.kind ?? null,
    related: trace.related.map(({ event }) => eventView(event, names)),
    duration_ms: trace.durationMs,
  }
}

function differenceView(difference: RequestTrace['difference']): RequestTraceView['difference'] {
  if (difference === null) return null
  const { left, right, others } = difference
  return { sent: plain(left), expected: plain(right), others: [...others] }
}

function plain({ before, changed, after }: Marked): z.infer<typeof markedSchema> {
  return { before, changed, after }
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
