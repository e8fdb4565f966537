/** What one person, or one app, holds right now: sessions, grants with their tokens, and consents. */
import type { ReactNode } from 'react'
import { Link } from '../_ui/link.tsx'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'
import { type HoldingTable, readHoldings } from './holding-tables.tsx'
import { type Showing, sessionsPath } from './paths.ts'

type HoldingsProps = {
  readonly page: AdminPage
  readonly subject: string | null
  readonly clientId: string | null
}

/** The newest of each; where there are more, all of them are one step away. */
export async function Holdings({ page, subject, clientId }: HoldingsProps) {
  const owner = { subject, clientId }
  const [sessions, access, consents] = await Promise.all([
    clientId === null ? readHoldings.sessions(page, owner) : null,
    readHoldings.access(page, owner),
    readHoldings.consents(page, owner),
  ])
  const all = (show: Showing) => sessionsPath({ show, sub: subject, clientId })
  return (
    <>
      {sessions !== null && (
        <Section
          title="Sessions"
          description="Browsers that are signed in."
          action={<All of={sessions} href={all('sessions')} />}
        >
          {sessions.table ?? <None>Nobody is signed in.</None>}
        </Section>
      )}
      <Section
        title="Access"
        description="What apps may do right now, with the tokens that are alive."
        action={<All of={access} href={all('access')} />}
      >
        {access.table ?? <None>No app holds anything.</None>}
      </Section>
      <Section
        title="Consents"
        description="What people allowed, so that they are not asked again."
        action={<All of={consents} href={all('consents')} />}
      >
        {consents.table ?? <None>Nothing is remembered.</None>}
      </Section>
    </>
  )
}

function All({ of, href }: { readonly of: HoldingTable; readonly href: string }) {
  if (of.next === null) return null
  return (
    <Link className="btn small" href={href}>
      Show all
    </Link>
  )
}

function None({ children }: { readonly children: ReactNode }) {
  return <p className="small muted">{children}</p>
}
