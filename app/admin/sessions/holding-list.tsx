/** The list that was asked for, page by page; or that there is nothing, and where to look instead. */
import { countedText } from '#lib/admin/counted-text.ts'
import { EmptyState } from '../_ui/empty-state.tsx'
import { Link } from '../_ui/link.tsx'
import { Pager } from '../_ui/pager.tsx'
import type { AdminPage } from '../admin-page.ts'
import type { Asked } from './asked.ts'
import type { Usage } from './endings.ts'
import { readHoldings } from './holding-tables.tsx'
import { type Showing, sessionsPath, sessionsQuery, sessionsRoot } from './paths.ts'

type HoldingListProps = { readonly page: AdminPage; readonly asked: Asked; readonly usage: Usage }

export async function HoldingList({ page, asked, usage }: HoldingListProps) {
  const { show, person, app, after } = asked
  const owner = { subject: person?.id ?? null, clientId: app?.id ?? null, after }
  const { table, next } = await readHoldings[show](page, owner)
  const query = {
    ...sessionsQuery({ show, sub: owner.subject, clientId: owner.clientId }),
    ...(after === undefined ? {} : { after }),
  }
  return (
    <>
      <p className="small muted">{texts[show].about}</p>
      {table ?? <Nothing asked={asked} />}
      <Pager
        path={sessionsRoot}
        query={query}
        next={next}
        count={table === null ? null : texts[show].count(usage)}
      />
    </>
  )
}

type Texts = {
  readonly about: string
  readonly none: (person: string | null, app: string | null) => string
  readonly count: (usage: Usage) => string
}

const texts: Readonly<Record<Showing, Texts>> = {
  sessions: {
    about: 'Browsers that are signed in, the latest used first.',
    none: person => (person === null ? 'Nobody is signed in' : `${person} is not signed in`),
    count: ({ sessions }) => countedText(sessions, 'session', 'sessions'),
  },
  access: {
    about: 'What apps may do for people right now, newest first, with the tokens that are alive.',
    none: (person, app) =>
      `${app === null ? 'No app holds anything' : `${app} holds nothing`}${person === null ? '' : ` for ${person}`}`,
    count: ({ grants }) => countedText(grants, 'grant', 'grants'),
  },
  consents: {
    about: 'What people allowed, so that they are not asked again, the latest first.',
    none: (person, app) =>
      person === null && app === null
        ? 'No consent is remembered'
        : `Nothing that ${person ?? 'anybody'} allowed ${app ?? 'an app'} is remembered`,
    count: ({ consents }) => countedText(consents, 'consent', 'consents'),
  },
}

/** What has ended is kept nowhere but in the events. */
function Nothing({ asked: { show, person, app } }: { readonly asked: Asked }) {
  const title = texts[show].none(person?.name ?? null, app?.name ?? null)
  const isNarrowed = person !== null || app !== null
  const of = new URLSearchParams({
    ...(person === null ? {} : { subject: person.id }),
    ...(app === null ? {} : { client: app.id }),
  })
  const all = (
    <Link className="btn" href={sessionsPath({ show })}>
      Show everything
    </Link>
  )
  return (
    <EmptyState title={title} action={isNarrowed ? all : undefined}>
      Only what is alive stands here.{isNarrowed && ' The other lists may hold something.'} What was before
      stands under <Link href={isNarrowed ? `/admin/events?${of}` : '/admin/events'}>Events</Link>.
    </EmptyState>
  )
}
