/** The page of the configuration as a document: export it, compare a document with it, and apply the document. */

import { z } from 'zod'
import { Notice } from '#app/admin/_ui/notice.tsx'
import { applyDocument, compareConfiguration } from '#lib/admin/configuration/apply-document.ts'
import { findManagedNames } from '#lib/admin/configuration/managed-names.ts'
import { planSchema } from '#lib/admin/configuration/plan.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { Differences } from '../_ui/differences.tsx'
import { TextArea } from '../_ui/fields.tsx'
import { AdminForm, fieldState } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import { AdminShell, Section } from '../_ui/page-parts.tsx'
import { SubmitRow } from '../_ui/post-form.tsx'
import { type AdminPage, adminPage } from '../admin-page.tsx'
import { Findings } from './findings.tsx'

const path = '/admin/configuration'

export default adminPage('configuration:read', path, ConfigurationPage)

async function ConfigurationPage(page: AdminPage) {
  const managed = await findManagedNames(page.ports.meta)
  return (
    <AdminShell
      page={page}
      title="Configuration"
      description="Clients, scopes, users and identity providers in the format of the configuration file."
    >
      {managed.source !== 'none' && (
        <Notice kind="plain">
          {managed.source === 'file'
            ? 'A configuration file is applied at each start: changes of the objects in it are overwritten. A password is kept until it changes in the file.'
            : 'The demo is applied at each start: changes of its clients and users are overwritten. Passwords are kept.'}
        </Notice>
      )}
      <PlanView page={page} />
      <Compare page={page} />
      <Export />
      <SecurityReview />
    </AdminShell>
  )
}

function Compare({ page }: { readonly page: AdminPage }) {
  const labels = { document: 'Document' }
  const { text } = fieldState(page, compareConfiguration, labels)
  return (
    <Section
      title="Compare and apply"
      description="Paste a configuration document. You see its changes before they are applied. Anything that it leaves out is kept, including secrets and passwords."
    >
      <AdminForm page={page} useCase={compareConfiguration} labels={labels}>
        <TextArea
          {...text('document')}
          help={'JSON with "clients", "scopes", "users" and "identity_providers".'}
          rows={12}
        />
        <SubmitRow label="Compare" />
      </AdminForm>
    </Section>
  )
}

/** The form of the export, whose route checks the permission. */
function Export() {
  return (
    <Section title="Export" description="Without secrets and passwords. Requires a recent sign-in.">
      <form className="form" method="post" action={browserAddress(`${path}/export`)}>
        <label className="check">
          <input type="checkbox" name="users" value="true" />
          <span>With users</span>
        </label>
        <SubmitRow label="Download configuration.json" look="plain" />
      </form>
    </Section>
  )
}

function SecurityReview() {
  return (
    <Section
      title="Security review"
      description="Lists what current security guidance (RFC 9700) advises against in the stored configuration."
    >
      <p>
        <Link className="btn plain" href={`${path}/review`}>
          Review the configuration
        </Link>
      </p>
    </Section>
  )
}

const comparedSchema = z.object({ plan: planSchema, document: z.string() })

function PlanView({ page }: { readonly page: AdminPage }) {
  const compared = comparedSchema.safeParse(page.oneTimeResult?.value)
  if (!compared.success) return null
  const { plan, document } = compared.data
  if (plan.changes.length === 0) return <Notice kind="good">The document changes nothing.</Notice>
  return (
    <Section
      title={plan.changes.length === 1 ? 'One change' : `${plan.changes.length} changes`}
      description={`${plan.unchanged} entries of the document are unchanged. Nothing is applied yet.`}
    >
      {plan.changes.map(({ kind, id, change, differences, note }) => (
        <details key={`${kind} ${id}`} className="settings-group">
          <summary>
            <span className={change === 'added' ? 'tag good' : 'tag warn'}>
              {change === 'added' ? 'New' : 'Changed'}
            </span>{' '}
            {kind} <span className="mono">{id}</span>
          </summary>
          {note !== null && <p className="small muted">{note}</p>}
          <Differences differences={differences.map(it => ({ ...it, before: it.before, after: it.after }))} />
        </details>
      ))}
      {plan.findings.length > 0 && (
        <>
          <h3>Findings about the document</h3>
          <Findings findings={plan.findings} />
        </>
      )}
      <AdminForm page={page} useCase={applyDocument} hidden={{ document, digest: plan.digest }}>
        <SubmitRow label="Apply these changes" />
      </AdminForm>
    </Section>
  )
}
