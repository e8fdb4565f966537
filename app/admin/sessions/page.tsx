/** Who is signed in, what apps hold, and ending it: one, or everything. */
import type { PageInput } from '#app/_ui/visit.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { fieldState } from '../_ui/draft-values.ts'
import { TextField } from '../_ui/fields.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { Section } from '../_ui/section.tsx'
import { type AdminPage, adminPage } from '../admin-page.ts'
import { Holdings } from './holdings.tsx'

export default async function SessionsPage(input: PageInput) {
  const page = await adminPage('grants:read', '/admin/sessions', input)
  return (
    <AdminShell page={page} title="Sessions">
      <PageHeader
        title="Sessions"
        description="The newest of each. Those of one person or one app stand on their pages."
      />
      <Holdings page={page} subject={null} clientId={null} />
      <Everybody page={page} />
    </AdminShell>
  )
}

async function Everybody({ page }: { readonly page: AdminPage }) {
  const usage = await page.ports.adminLists.usage({ subject: null, clientId: null }, page.now)
  const { value, error } = fieldState(page, 'grants.revoke_everything')
  const consequence = `Ends ${countedText(usage.sessions, 'session', 'sessions')} and ${countedText(usage.grants, 'grant', 'grants')} of ${countedText(usage.people, 'person', 'people')}, yours included. For a breach.`
  return (
    <Section title="Danger zone" isDangerous>
      <ConfirmedForm
        page={page}
        useCase="grants.revoke_everything"
        label="Sign everybody out"
        reasonAgainst={page.reasonAgainst('grants:revoke_all')}
        consequence={consequence}
        verb="Sign everybody out of everything"
      >
        <TextField
          name="confirm"
          label='Type "everybody" to confirm'
          value={value('confirm', '')}
          error={error('confirm')}
        />
      </ConfirmedForm>
    </Section>
  )
}
