/** The signing keys: what signs now, what comes next, and what only verifies any more. */
import type { PageInput } from '#app/_ui/visit.ts'
import { listKeys } from '#lib/admin/keys/read-keys.ts'
import { signingKeys as limits } from '#lib/config/limits.ts'
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { CopyText } from '../_ui/copy.tsx'
import { AdminShell, Facts, PageHeader } from '../_ui/page-parts.tsx'
import { withAdminErrors } from '../_ui/refused-page.tsx'
import { requireAdminPage } from '../admin-page.ts'
import { callUseCase } from '../call-use-case.ts'
import { AlgorithmKeys } from './algorithm-keys.tsx'

export default withAdminErrors(KeysPage)

async function KeysPage(input: PageInput) {
  const page = await requireAdminPage('keys:read', '/admin/keys', input)
  const { keys, rotations } = await callUseCase(page, listKeys, {})
  const usage = await page.ports.adminLists.usage({ subject: null, clientId: null }, page.now)
  return (
    <AdminShell page={page} title="Keys">
      <PageHeader title="Keys" description={introduction} />
      <Facts
        facts={[
          [
            'Key set',
            <CopyText key="jwks" id="jwks" name="the key set" text={`${page.issuer}/.well-known/jwks`} />,
          ],
        ]}
      />
      {signingAlgorithms.map(algorithm => (
        <AlgorithmKeys
          key={algorithm}
          page={page}
          algorithm={algorithm}
          keys={keys.filter(key => key.algorithm === algorithm && key.state !== 'expired')}
          rotation={rotations.find(rotation => rotation.algorithm === algorithm) ?? null}
          usage={usage}
        />
      ))}
    </AdminShell>
  )
}

const days = (seconds: number) => Math.round(seconds / 86_400)

const introduction = `Tokens are signed with them, and apps check tokens with their public halves. They change by themselves every ${days(limits.rotationSeconds)} days; the next one is published ${days(limits.propagationSeconds)} days before it signs.`
