/** The numbers one looks for first. */
import type { Overview } from '#lib/admin/overview/overview.ts'
import { Figure, RateFigure } from '../_ui/charts/figure.tsx'

export function Figures({ overview }: { readonly overview: Overview }) {
  const { period, signIns, people, tokens, failures, successRate } = overview
  const { current } = period
  return (
    <div className="figures">
      <Figure name="Sign-ins" compared={signIns} current={current} />
      <RateFigure name="Tries that succeed" rate={successRate} />
      <Figure name="Active people" compared={people} current={current} />
      <Figure name="Tokens issued" compared={tokens} current={current} />
      <Figure name="Refused or failed" compared={failures} current={current} isBad />
    </div>
  )
}
