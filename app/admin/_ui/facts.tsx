/** Names and values below each other. */
import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

type FactsProps = {
  readonly facts: readonly Fact[]
  /** Beside each other instead, each name above its value. */
  readonly isRow?: boolean
}

export function Facts({ facts, isRow = false }: FactsProps) {
  return (
    <dl className={isRow ? 'facts fact-row' : 'facts admin-facts'}>
      {facts.map(([name, value]) => (
        <div className="fact" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
