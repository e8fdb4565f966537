/** Trying a provider out before people do, and what it said about the admin, once. */
import { readProvider } from '#lib/admin/providers/read-providers.ts'
import { finishProviderTrial, trialAnswerSchema } from '#lib/admin/providers/try-provider.ts'
import { CopyText } from '../../../_ui/copy-text.tsx'
import { Facts } from '../../../_ui/facts.tsx'
import { Section } from '../../../_ui/section.tsx'
import { SubmitRow } from '../../../_ui/submit-row.tsx'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase } from '../../../call-use-case.ts'
import { providerPath } from '../../../resource/paths.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ProviderFrame } from '../../provider-frame.tsx'
import { TrialResult } from '../../trial-result.tsx'

export default withAdminErrors(ProviderTrialPage)

async function ProviderTrialPage(input: DetailInput) {
  const scheme = await idOf(input)
  const page = await requireAdminPage('providers:read', providerPath(scheme, 'trial'), input)
  const provider = await callUseCase(page, readProvider, { scheme })
  const isTrial = page.answer?.useCase === finishProviderTrial.name
  const answer = isTrial ? trialAnswerSchema.safeParse(page.answer?.value) : null
  const reason = page.reasonAgainst('providers:update')
  return (
    <ProviderFrame page={page} provider={provider} tab="trial">
      {answer?.success && answer.data.scheme === scheme && (
        <TrialResult answer={answer.data} now={page.now} />
      )}
      <Section
        title={answer?.success ? 'Once more' : 'Test sign-in'}
        description={`Sends you to ${provider.display_name} and shows what it says about you. Nobody is signed in by it, and no account is made or linked. It works while the provider is disabled.`}
      >
        <Facts
          facts={[
            ['Issuer', <CopyText key="issuer" id="issuer" name="issuer" text={provider.issuer} />],
            [
              'Callback',
              <CopyText key="callback" id="callback" name="callback" text={provider.callback_uri} />,
            ],
            ['Scopes', <code key="scopes">openid profile email</code>],
          ]}
        />
        <form method="post" action={providerPath(scheme, 'trial/start')}>
          <SubmitRow label={`Sign in at ${provider.display_name}`} reasonAgainst={reason} />
        </form>
      </Section>
    </ProviderFrame>
  )
}
