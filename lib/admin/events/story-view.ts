/** The story of one request as the API answers it. */
import { z } from 'zod'
import type { Marked } from './difference.ts'
import { checkView, checkViewSchema, eventView, eventViewSchema } from './event-view.ts'
import type { Story } from './story.ts'

const markedSchema = z.object({ before: z.string(), changed: z.string(), after: z.string() })

export const storyViewSchema = z.object({
  reference: z.string(),
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
  person_saw: z
    .enum(['page', 'form', 'app_told'])
    .nullable()
    .describe('An error page; the form again; nothing, because the app was told; null: nobody was there.'),
  related: z.array(eventViewSchema).describe('The whole sign-in, oldest first, this request included.'),
  duration_ms: z.number(),
})

type StoryView = z.infer<typeof storyViewSchema>

export function storyView(story: Story): StoryView {
  const { names } = story
  return {
    reference: story.referenceId,
    sentence: story.sentence,
    event: eventView(story.main, names),
    checks: story.checks.map(check => checkView(check, story.whyFailed)),
    failed: story.failed && checkView(story.failed, story.whyFailed),
    difference: differenceView(story.difference),
    remedy: remedyView(story.remedy),
    person_saw: story.saw?.kind ?? null,
    related: story.related.map(({ event }) => eventView(event, names)),
    duration_ms: story.durationMs,
  }
}

function differenceView(difference: Story['difference']): StoryView['difference'] {
  if (difference === null) return null
  const { left, right, others } = difference
  return { sent: plain(left), expected: plain(right), others: [...others] }
}

function plain({ before, changed, after }: Marked): z.infer<typeof markedSchema> {
  return { before, changed, after }
}

function remedyView(remedy: Story['remedy']): StoryView['remedy'] {
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
