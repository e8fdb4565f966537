/** The settings of the application that a client is for, with the values of the client. */
import { WithCode } from '#app/_ui/with-code.tsx'
import type { ClientView } from '#lib/admin/clients/client-resource.ts'
import type { Application } from '#lib/protocol/registration/applications/application.ts'
import { applications, findApplication } from '#lib/protocol/registration/applications/applications.ts'
import {
  applicationsWith,
  type FoundApplication,
  fillIn,
} from '#lib/protocol/registration/applications/fill-in.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { CodePanel } from '../../../_ui/copy.tsx'
import { Facts, Section } from '../../../_ui/page-parts.tsx'
import type { AdminPage } from '../../../admin-page.tsx'
import { clientName } from '../../client-pages.tsx'

type ApplicationSetupProps = {
  readonly page: AdminPage
  readonly client: ClientView
  readonly redirectUris: readonly string[]
}

/** The settings of the application that the address of the page or the client names; nothing for other clients. */
export function ApplicationSetup({ page, client, redirectUris }: ApplicationSetupProps) {
  const fitting = applicationsWith(applications, redirectUris)
  const shown = shownApplication(page.query.application, clientName(client), fitting)
  if (shown === null) return null
  const { application, app } = shown
  const values = { issuer: page.issuer, clientId: client.client_id, app }
  return (
    <Section
      title={`Settings of ${application.name}`}
      description={`Replace CLIENT_SECRET with the secret of this client.${versionOf(application)}`}
      id="application"
    >
      <ol className="steps">
        {application.steps.map(step => (
          <li key={step}>
            <WithCode text={fillIn(step, values)} />
          </li>
        ))}
      </ol>
      {application.files.map(({ path, content }, index) => (
        <CodePanel
          key={path}
          id={`application-file-${index}`}
          title={fillIn(path, values)}
          text={fillIn(content, values)}
        />
      ))}
      <Facts
        facts={{
          Claims: application.claims.join(', '),
          'Sign-out': <WithCode text={fillIn(application.signOut, values)} />,
          Limits: <Limits sentences={application.limits.map(limit => fillIn(limit, values))} />,
          Documents: (
            <>
              <a href={browserAddress(application.documents)} rel="noreferrer">
                Documents of {application.name}
              </a>
              , and <code className="mono">docs/applications/{application.id}.md</code>
            </>
          ),
        }}
      />
    </Section>
  )
}

/**
 * Many applications share a redirect URI, so that a client is only for one that its name contains. NOTE: an application that the
 * address of the page names may have other redirect URIs: its own address is then not known.
 */
function shownApplication(
  named: string | undefined,
  name: string,
  fitting: readonly FoundApplication[],
): FoundApplication | null {
  const application = findApplication(named)
  if (application === null)
    return fitting.find(found => name.toLowerCase().includes(found.application.name.toLowerCase())) ?? null
  return fitting.find(found => found.application === application) ?? { application, app: null }
}

function versionOf({ name, version: { number, from } }: Application): string {
  if (from === 'untried')
    return ' These settings follow public descriptions, and were not tried with this server.'
  return number === null ? '' : ` Tried with ${name} ${number}.`
}

function Limits({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <ul className="list">
      {sentences.map(sentence => (
        <li key={sentence}>
          <WithCode text={sentence} />
        </li>
      ))}
    </ul>
  )
}
