/** Every check in the order it was made: passed, failed, or not reached. */
import { checkWords } from '#lib/admin/events/check-words.ts'
import type { Story } from '#lib/admin/events/story.ts'

const signs = { passed: '✓', failed: '✕', not_reached: '·' } as const
const spoken = { passed: 'Passed', failed: 'Failed', not_reached: 'Not reached' } as const

export function Checks({ checks }: { readonly checks: Story['checks'] }) {
  return (
    <ol className="checks list" aria-label="Checks in order">
      {checks.map(({ check, result, atMs }) => {
        const { text, failed, standard, href } = checkWords(check)
        return (
          <li key={check} className={result}>
            <span className="mono small faint at">{atMs === null ? '–' : `+${atMs.toFixed(1)} ms`}</span>
            <span className="sign" aria-hidden="true">
              {signs[result]}
            </span>
            <span>
              <span className="visually-hidden">{`${spoken[result]}: `}</span>
              {result === 'failed' ? failed : text}
            </span>
            <span className="small faint">{href === '' ? standard : <a href={href}>{standard}</a>}</span>
          </li>
        )
      })}
    </ol>
  )
}
