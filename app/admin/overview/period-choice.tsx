/** How far back the overview looks. The choice stands in the address. */
import { type PeriodName, periodNames } from '#lib/admin/overview/period.ts'
import { Link } from '../_ui/link.tsx'

const words: Readonly<Record<PeriodName, string>> = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

export function PeriodChoice({ current }: { readonly current: PeriodName }) {
  return (
    <nav aria-label="Period">
      <ul className="list segments">
        {periodNames.map(name => (
          <li key={name}>
            <Link href={`/admin?period=${name}`} aria-current={name === current ? 'page' : undefined}>
              {words[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
