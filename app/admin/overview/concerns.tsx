/** What somebody should look at, each with the way there. */
import type { Concern } from '#lib/admin/overview/attention.ts'
import { Section } from '../_ui/section.tsx'

export function Concerns({ concerns }: { readonly concerns: readonly Concern[] }) {
  if (concerns.length === 0) return null
  return (
    <Section title="Needs attention">
      <ul className="concerns list">
        {concerns.map(({ severity, sentence, href, action }) => (
          <li key={sentence}>
            <span className={`tag ${severity}`}>{severity === 'bad' ? 'Now' : 'Soon'}</span>
            <span className="grow">{sentence}</span>
            <a href={href}>{action}</a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
