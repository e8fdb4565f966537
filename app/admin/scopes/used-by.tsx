/** The clients that may ask for a scope. */
import { countedText } from '#lib/admin/counted-text.ts'
import { Link } from '../_ui/link.tsx'
import { Section } from '../_ui/section.tsx'
import { clientPath, scopePath } from '../resource/paths.ts'

/** So many are shown at first. */
const shownFirst = 10

type UsedByProps = {
  readonly name: string
  /** All that can be named are shown. */
  readonly isWhole: boolean
  readonly clients: readonly { readonly client_id: string; readonly name: string }[]
  readonly isMore: boolean
}

export function UsedBy({ name, isWhole, clients, isMore }: UsedByProps) {
  const shown = isWhole ? clients : clients.slice(0, shownFirst)
  const count = countedText({ count: clients.length, isMore }, 'client', 'clients')
  return (
    <Section
      title="Used by"
      id="used-by"
      description="Clients that may ask for it. The settings of each client decide."
    >
      {clients.length === 0 ? (
        <p className="small muted">
          No client may ask for “{name}” yet. Add it to the scopes in the settings of the client that needs
          it.
        </p>
      ) : (
        <ul className="list flex flex-wrap gap-2">
          {shown.map(client => (
            <li key={client.client_id}>
              <Link className="tag" href={clientPath(client.client_id)}>
                {client.name}
              </Link>
            </li>
          ))}
          {shown.length < clients.length && (
            <li className="small">
              <Link href={`${scopePath(name)}?clients=all#used-by`}>Show all: {count}</Link>
            </li>
          )}
          {isWhole && isMore && <li className="small muted">and more</li>}
        </ul>
      )}
    </Section>
  )
}
