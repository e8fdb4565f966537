/** Tests a client before its users do, and shows the result once. */
import { beginClientTest } from '#lib/admin/clients/client-test/begin-client-test.ts'
import { testResultSchema } from '#lib/admin/clients/client-test/client-test-result.ts'
import { finishClientTest } from '#lib/admin/clients/client-test/finish-client-test.ts'
import { readClient } from '#lib/admin/clients/read-clients.ts'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase } from '../../../call-use-case.ts'
import { clientPath } from '../../../resource/paths.ts'
import { restrictClientToOwners } from '../../../restrict-to-owners.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ClientFrame } from '../../client-frame.tsx'
import { TestForm } from '../../test-form.tsx'
import { TestReport } from '../../test-report.tsx'

const tests: ReadonlySet<string | undefined> = new Set([beginClientTest.name, finishClientTest.name])

export default withAdminErrors(ClientTestPage)

async function ClientTestPage(input: DetailInput) {
  const id = await idOf(input)
  const opened = await requireAdminPage('clients:read', clientPath(id, 'test'), input)
  const client = await callUseCase(opened, readClient, { client_id: id })
  const page = await restrictClientToOwners(opened, client)
  const result = tests.has(page.answer?.useCase) ? testResultSchema.safeParse(page.answer?.value) : null
  const report = result?.success && result.data.client_id === id ? result.data : null
  return (
    <ClientFrame page={page} client={client} tab="test">
      {report !== null && <TestReport result={report} />}
      <TestForm page={page} client={client} isAgain={report !== null} />
    </ClientFrame>
  )
}
