/** Names and values below each other. */
import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts admin-facts">
      {facts.map(([name, value]) => (
        <div className="fact" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
