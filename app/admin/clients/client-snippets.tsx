/** Set-up for one framework at a time; the choice stands in the address. */
import type { ClientView } from '#lib/admin/clients/client-document.ts'
import { snippetsFor } from '#lib/admin/clients/snippets/snippets.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { CodePanel } from '../_ui/code-panel.tsx'
import { Section } from '../_ui/section.tsx'
import { Tabs } from '../_ui/tabs.tsx'
import type { AdminPage } from '../admin-page.ts'
import { clientPath } from '../resource/paths.ts'

export function ClientSnippets({ page, client }: { readonly page: AdminPage; readonly client: ClientView }) {
  const read = clientMetadataSchema.parse(client.metadata)
  const hasSecret = read.token_endpoint_auth_method !== 'none'
  const snippets = snippetsFor({
    issuer: page.issuer,
    clientId: client.client_id,
    kind: client.kind,
    hasSecret,
    redirectUri: read.redirect_uris[0] ?? 'http://localhost:3000/callback',
    scopes: scopeWords(read.scope),
  })
  const shown = snippets.find(({ id }) => id === page.query.with) ?? snippets[0]
  if (shown === undefined) return null
  return (
    <Section
      title="Set-up"
      description={`Filled with this client’s own values.${hasSecret ? ' The secret stays yours to fill in.' : ''}`}
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
            <li key={step}>{isSentence(step) ? step : <span className="mono">{step}</span>}</li>
          ))}
        </ol>
      )}
      {shown.files.map(({ path, content }, index) => (
        <CodePanel key={path} id={`file-${index}`} title={path} text={content} />
      ))}
    </Section>
  )
}

/** Everything else is a command. */
function isSentence(step: string): boolean {
  return step.endsWith('.')
}
