/** Every check in the order it was made: passed, failed, or not reached. */
import { checkWords } from '#lib/admin/events/check-words.ts'
import type { RequestTrace } from '#lib/admin/events/request-trace.ts'
import { visible } from './difference-words.ts'

const spoken = { passed: 'Passed', failed: 'Failed', not_reached: 'Not reached' } as const

export function Checks({ trace: { checks, whyFailed } }: { readonly trace: RequestTrace }) {
  const isTimed = checks.some(({ atMs }) => atMs !== null)
  return (
    <section className="stack">
      <div className="trace-head">
        <h2>Checks</h2>
        <p className="small muted">{countWords(checks)}</p>
      </div>
      <ol className={isTimed ? 'checks list' : 'checks untimed list'} aria-label="Checks in order">
        {checks.map((check, index) => (
          <Check key={check.check} {...check} whyFailed={whyFailed} number={index + 1} />
        ))}
      </ol>
    </section>
  )
}

type CheckProps = RequestTrace['checks'][number] & { readonly whyFailed: string; readonly number: number }

function Check({ check, result, atMs, sent, whyFailed, number }: CheckProps) {
  const { text, standard, href } = checkWords(check)
  return (
    <li className={result}>
      <span className="sign" aria-hidden="true">
        {result === 'passed' ? '✓' : result === 'failed' ? '✕' : number}
      </span>
      <span>
        <span className="visually-hidden">{`${spoken[result]}: `}</span>
        {result === 'failed' ? whyFailed : text}
        {result === 'failed' && sent !== undefined && <code className="sent mono">{visible(sent)}</code>}
      </span>
      <span className="small source">{href === '' ? standard : <a href={href}>{standard}</a>}</span>
      {atMs !== null && <span className="small faint at">{`${atMs.toFixed(1)} ms`}</span>}
    </li>
  )
}

/** `3 passed, 1 failed, 12 not reached`. */
function countWords(checks: RequestTrace['checks']): string {
  return (['passed', 'failed', 'not_reached'] as const)
    .map(result => ({ result, count: checks.filter(check => check.result === result).length }))
    .filter(({ count }) => count > 0)
    .map(({ result, count }) => `${count} ${spoken[result].toLowerCase()}`)
    .join(', ')
}
