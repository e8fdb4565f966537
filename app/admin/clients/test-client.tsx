/** Runs the real flow of this client, and tells in plain words what comes of it. */
import type { ClientView } from '#lib/admin/clients/client-document.ts'
import { testAddress } from '#lib/admin/clients/test-address.ts'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'
import { clientPath } from './paths.ts'

export function TestClient({ page, client }: { readonly page: AdminPage; readonly client: ClientView }) {
  const { hashing, random } = page.ports
  const address = testAddress(page.issuer, client, hashing.digest(random.id()))
  return (
    <Section
      title="Test this client"
      id="test"
      description={
        address === null
          ? 'This client has no page that people return to, so there is nothing to click through: use the curl set-up below.'
          : 'Opens the authorization endpoint as the app would: sign-in, consent, and back to the app’s first redirect URI.'
      }
      action={
        address === null ? undefined : (
          <a className="btn primary" href={address} target="_blank" rel="noreferrer">
            Run the real flow
          </a>
        )
      }
    >
      <p className="small muted">
        Whatever happens, each step stands in{' '}
        <a href={`${clientPath(client.client_id, 'access')}`}>the events of this client</a>, with the check
        that failed.
      </p>
    </Section>
  )
}
