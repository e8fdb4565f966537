/** Queries of the overview page, for each of its periods. */
import { legacySwitches } from '#lib/protocol/registration/client.ts'
import { dayNumber, hourOf, startOfDay } from '#lib/protocol/time.ts'
import { earlier } from './dataset.ts'
import type { Asked, Question } from './questions.ts'

const metrics = ['sign_in', 'sign_in_failed', 'refusal', 'tokens', 'token_checks', 'funnel', 'purged']

export function overviewQuestions({ storage, dataset, chance }: Asked): readonly Question[] {
  const { aggregates, databaseStatus, adminLists } = storage
  const last = dayNumber(dataset.now)
  const today = { from: startOfDay(last), until: startOfDay(last + 1) }
  const longAgo = { from: hourOf(earlier(dataset.now, 90 * 86_400)), until: startOfDay(last - 89) }
  const daily = (days: number): readonly Question[] => {
    const current = { first: last - days + 1, last }
    const before = { first: current.first - days, last: current.first - 1 }
    return [
      {
        name: `overview: ${days} days, by label`,
        ask: () => aggregates.days({ metrics, ...current, by: 'label' }),
      },
      {
        name: `overview: ${days} days before, by metric`,
        ask: () => aggregates.days({ metrics, ...before, by: 'metric' }),
      },
      { name: `overview: users of ${days} days`, ask: () => aggregates.activeDays(current) },
      {
        name: `overview: clients by tokens, ${days} days`,
        ask: () => aggregates.busiestClients(current, 'tokens', 10),
      },
    ]
  }
  return [
    ...[7, 30, 90].flatMap(daily),
    { name: 'overview: today, by label', ask: () => aggregates.hours({ metrics, ...today, by: 'label' }) },
    { name: 'overview: users of today', ask: () => aggregates.activeHours(today, 0) },
    {
      name: 'overview: the end of a day long ago',
      ask: () => aggregates.hours({ metrics, ...longAgo, by: 'metric' }),
    },
    { name: 'overview: users at the end of that day', ask: () => aggregates.activeHours(longAgo, 89) },
    {
      name: 'overview: clients by refusals, 2 days',
      ask: () => aggregates.busiestClients({ first: last - 1, last }, 'refusals', 50),
    },
    {
      name: 'overview: clients with a legacy switch',
      ask: () =>
        adminLists.clientsWith(
          { setting: legacySwitches[chance.below(legacySwitches.length)] ?? 'password_grant' },
          6,
        ),
    },
    { name: 'overview: the first day', ask: () => aggregates.firstDay() },
    { name: 'overview: the state of the database', ask: () => databaseStatus.database() },
  ]
}
