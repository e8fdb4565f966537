/** The numbers one looks for first. */
import type { Overview } from '#lib/admin/overview/overview.ts'
import { Figure, RateFigure } from '../_ui/charts/figure.tsx'

export function Figures({ overview }: { readonly overview: Overview }) {
  const { period, signIns, people, tokens, failures, successRate } = overview
  const line = { current: period.current, known: overview.known }
  return (
    <div className="figures">
      <Figure name="Sign-ins" compared={signIns} {...line} />
      <RateFigure name="Success rate" rate={successRate} />
      <Figure name="Active users" compared={people} {...line} />
      <Figure name="Tokens issued" compared={tokens} {...line} />
      <Figure name="Refused or failed" compared={failures} {...line} isBad />
    </div>
  )
}
