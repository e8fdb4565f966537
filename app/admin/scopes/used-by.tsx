/** The clients that may ask for a scope. */
import { Link } from '../_ui/link.tsx'
import { Section } from '../_ui/section.tsx'
import { clientPath } from '../clients/paths.ts'

type UsedByProps = {
  readonly name: string
  readonly clients: readonly { readonly client_id: string; readonly name: string }[]
  readonly isMore: boolean
}

export function UsedBy({ name, clients, isMore }: UsedByProps) {
  return (
    <Section title="Used by" description="Clients that may ask for it. Each client’s own settings decide.">
      {clients.length === 0 ? (
        <p className="small muted">
          No client may ask for “{name}” yet. Add it to the scopes in the settings of the client that needs
          it.
        </p>
      ) : (
        <ul className="list flex flex-wrap gap-2">
          {clients.map(client => (
            <li key={client.client_id}>
              <Link className="tag" href={clientPath(client.client_id)}>
                {client.name}
              </Link>
            </li>
          ))}
          {isMore && <li className="small muted">and more</li>}
        </ul>
      )}
    </Section>
  )
}
