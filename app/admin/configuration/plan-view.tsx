/** What applying a document would change, and the button that does it. */
import { z } from 'zod'
import { Notice } from '#app/admin/_ui/notice.tsx'
import { planSchema } from '#lib/admin/configuration/plan.ts'
import { SubmitRow } from '../_ui/confirmed-form.tsx'
import { Differences } from '../_ui/differences.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Section } from '../_ui/page-parts.tsx'
import type { AdminPage } from '../admin-page.ts'

const comparedSchema = z.object({ plan: planSchema, document: z.string() })

export function PlanView({ page }: { readonly page: AdminPage }) {
  const compared = comparedSchema.safeParse(page.answer?.value)
  if (!compared.success) return null
  const { plan, document } = compared.data
  if (plan.changes.length === 0) return <Notice kind="good">The document changes nothing.</Notice>
  const reason = page.reasonAgainst('configuration:apply')
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
      <AdminForm
        page={page}
        useCase="configuration.apply_document"
        hidden={{ document, digest: plan.digest }}
      >
        <SubmitRow label="Apply exactly this" reasonAgainst={reason} />
      </AdminForm>
    </Section>
  )
}
