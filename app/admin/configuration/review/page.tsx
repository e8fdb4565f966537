/** The page that reviews the stored configuration by current security guidance. */
import { reviewStoredConfiguration } from '#lib/admin/configuration/review-configuration.ts'
import { Notice } from '../../_ui/notice.tsx'
import { AdminShell, Section } from '../../_ui/page-parts.tsx'
import { type AdminPage, adminPage, callUseCase } from '../../admin-page.tsx'
import { Findings } from '../findings.tsx'

export default adminPage('configuration:read', '/admin/configuration/review', ReviewPage)

async function ReviewPage(page: AdminPage) {
  const { findings } = await callUseCase(page, reviewStoredConfiguration, {})
  return (
    <AdminShell
      page={page}
      title="Security review"
      description="Settings of clients, providers and policies that work, but that current security guidance (RFC 9700) advises against."
    >
      {findings.length === 0 ? (
        <Notice kind="good">Nothing found.</Notice>
      ) : (
        <Section title={findings.length === 1 ? 'One finding' : `${findings.length} findings`}>
          <Findings findings={findings} />
        </Section>
      )}
    </AdminShell>
  )
}
