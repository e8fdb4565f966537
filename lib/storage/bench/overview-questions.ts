/** What the overview reads for each of its periods. */
import { legacySwitches } from '#lib/protocol/legacy-switches.ts'
import { dayNumber, hourOf, startOfDay } from '#lib/protocol/time.ts'
import { earlier } from './people.ts'
import type { Asked, Question } from './questions.ts'

const metrics = ['sign_in', 'sign_in_failed', 'refusal', 'tokens', 'funnel', 'active', 'purged']

export function overviewQuestions({ storage, town, chance }: Asked): readonly Question[] {
  const { rollUps, house, adminLists } = storage
  const last = dayNumber(town.now)
  const daily = (days: number): readonly Question[] => [
    {
      name: `overview: ${days} days and as many before`,
      ask: () => rollUps.days(metrics, last - 2 * days + 1, last),
    },
    {
      name: `overview: clients by tokens, ${days} days`,
      ask: () => rollUps.busiestClients({ first: last - days + 1, last }, 'tokens', 10),
    },
  ]
  return [
    ...[7, 30, 90].flatMap(daily),
    {
      name: 'overview: the hours of today and yesterday',
      ask: () => rollUps.hours(metrics, startOfDay(last - 1), startOfDay(last + 1)),
    },
    {
      name: 'overview: the end of a day long ago',
      ask: () => rollUps.hours(metrics, hourOf(earlier(town.now, 90 * 86_400)), startOfDay(last - 89)),
    },
    {
      name: 'overview: clients by refusals, 2 days',
      ask: () => rollUps.busiestClients({ first: last - 1, last }, 'refusals', 50),
    },
    {
      name: 'overview: clients with a legacy switch',
      ask: () =>
        adminLists.clientsWithSwitch(
          legacySwitches[chance.below(legacySwitches.length)] ?? 'password_grant',
          6,
        ),
    },
    { name: 'overview: the first day', ask: () => rollUps.firstDay() },
    { name: 'overview: the state of the database', ask: () => house.database() },
  ]
}
