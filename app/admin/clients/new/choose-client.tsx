/** The first step of a new client: an application whose settings are known, or the kind of any other one. */
import { kindAdvice } from '#lib/admin/clients/client-defaults.ts'
import { type Application, applicationGroups } from '#lib/protocol/registration/applications/application.ts'
import { searchApplications } from '#lib/protocol/registration/applications/applications.ts'
import { clientKinds } from '#lib/protocol/registration/client.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { RadioCards } from '../../_ui/fields.tsx'
import { FilterBar } from '../../_ui/filter-bar.tsx'
import { Link } from '../../_ui/link.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import type { Query } from '../../admin-page.tsx'

export const newClientPath = '/admin/clients/new'

export function ChooseClient({ query }: { readonly query: Query }) {
  return (
    <>
      <ChooseKind />
      <Section
        title="Or choose an application"
        description="Its address fills in the settings. You see and can change them before the client is created."
        id="applications"
      >
        <FilterBar path={newClientPath} query={query} search="Find an application" filters={[]} />
        <Applications found={searchApplications(query.q ?? '')} />
      </Section>
    </>
  )
}

/** The kinds of clients. The choice is in the address of the second step, so that going back can change it. */
function ChooseKind() {
  const cards = clientKinds.map(kind => ({
    value: kind,
    title: kindAdvice[kind].title,
    text: kindAdvice[kind].text,
  }))
  return (
    <form className="sheet" method="get" action={browserAddress(newClientPath)}>
      <RadioCards name="kind" label="What kind of client is it?" value="web" cards={cards} error={null} />
      <SubmitRow label="Continue" />
    </form>
  )
}

function Applications({ found }: { readonly found: readonly Application[] }) {
  if (found.length === 0)
    return (
      <p role="status">
        No application has this name. Choose its kind above: a client works with every application that
        supports OpenID Connect or OAuth 2.0.
      </p>
    )
  return applicationGroups.map(group => {
    const members = found.filter(application => application.group === group)
    if (members.length === 0) return null
    return (
      <div key={group} className="app-group">
        <h3>{group}</h3>
        <ul className="list even">
          {members.map(({ id, name }) => (
            <li key={id}>
              <Link className="btn wide" href={applicationPath(id)}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    )
  })
}

function applicationPath(id: string): string {
  return `${newClientPath}?${new URLSearchParams({ application: id })}`
}
