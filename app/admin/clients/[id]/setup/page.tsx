/** The page that shows how to use a client: its new secret, the settings of its application, its endpoints, and code for common frameworks. */

import { z } from 'zod'
import type { ClientView } from '#lib/admin/clients/client-resource.ts'
import { snippetsFor } from '#lib/admin/clients/snippets/snippets.ts'
import { createClient } from '#lib/admin/clients/write-clients.ts'
import { clientPath } from '#lib/admin/page-paths.ts'
import { type ClientMetadataRead, clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { CodePanel, CopyText, SecretOnce } from '../../../_ui/copy.tsx'
import { Notice } from '../../../_ui/notice.tsx'
import { Facts, Section, Tabs } from '../../../_ui/page-parts.tsx'
import type { AdminPage } from '../../../admin-page.tsx'
import { resourcePage, type Shown } from '../../../resource/resource-pages.tsx'
import { clientPages } from '../../client-pages.tsx'
import { ApplicationSetup } from './application-setup.tsx'

const createdSchema = z.object({ client_secret: z.string() })

export default resourcePage(clientPages, 'setup', ClientSetup)

function ClientSetup({ page, view: client }: Shown<ClientView>) {
  const created = createdSchema.safeParse(page.oneTimeResult?.value)
  const read = clientMetadataSchema.parse(client.metadata)
  return (
    <>
      {created.success && (
        <SecretOnce
          title="Step 3 of 3: the client is ready. This is its secret"
          secret={created.data.client_secret}
          hint="Copy it now: only its hash is stored, so it cannot be shown again. You can create a new one any time."
        />
      )}
      {page.oneTimeResult?.useCase === createClient.name && !created.success && (
        <Notice kind="good">Step 3 of 3: the client is ready. It needs no secret; this is its setup.</Notice>
      )}
      <ApplicationSetup page={page} client={client} redirectUris={read.redirect_uris} />
      <Endpoints issuer={page.issuer} />
      <Snippets page={page} client={client} read={read} />
    </>
  )
}

function Endpoints({ issuer }: { readonly issuer: string }) {
  const url = (name: string, path: string) => (
    <CopyText
      id={`endpoint-${name.toLowerCase()}`}
      name={`the ${name} address`}
      text={ownUrl(issuer, path)}
    />
  )
  return (
    <Section title="Endpoints">
      <Facts
        facts={{
          Issuer: url('Issuer', ''),
          Discovery: url('Discovery', '/.well-known/openid-configuration'),
          Authorization: url('Authorization', '/connect/authorize'),
          Token: url('Token', '/connect/token'),
          Userinfo: url('Userinfo', '/connect/userinfo'),
          'Sign-out': url('Sign-out', '/connect/endsession'),
        }}
      />
    </Section>
  )
}

type SnippetsProps = {
  readonly page: AdminPage
  readonly client: ClientView
  readonly read: ClientMetadataRead
}

/** The code for the framework that the address names, else for the first one. */
function Snippets({ page, client, read }: SnippetsProps) {
  const hasSecret = read.token_endpoint_auth_method !== 'none'
  const snippets = snippetsFor({
    issuer: page.issuer,
    clientId: client.client_id,
    kind: client.kind,
    hasSecret,
    redirectUri: read.redirect_uris[0] ?? 'http://localhost:3000/callback',
    scopes: read.scope === '' && read.allow_access_to_all_scopes ? ['openid'] : scopeWords(read.scope),
  })
  const shown = snippets.find(({ id }) => id === page.query.with) ?? snippets[0]
  if (shown === undefined) return null
  return (
    <Section
      title="Setup"
      description={`Code with the values of this client.${hasSecret ? ' Add the secret yourself.' : ''}`}
      id="code"
    >
      <Tabs
        label="Frameworks"
        tabs={snippets.map(({ id, title }) => ({
          name: title,
          href: `${clientPath(client.client_id, 'setup')}?with=${id}#code`,
          isCurrent: id === shown.id,
        }))}
      />
      {shown.steps.length > 0 && (
        <ol className="steps">
          {shown.steps.map(step => (
            // Steps that are not sentences are commands
            <li key={step}>{step.endsWith('.') ? step : <span className="mono">{step}</span>}</li>
          ))}
        </ol>
      )}
      {shown.files.map(({ path, content }, index) => (
        <CodePanel key={path} id={`file-${index}`} title={path} text={content} />
      ))}
    </Section>
  )
}
