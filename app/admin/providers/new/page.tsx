/** Registering a provider in three steps, whose state stands in the address: who it is, what we call it, who we are there. */
import type { PageInput } from '#app/_ui/visit.ts'
import { providerFields } from '#lib/admin/providers/provider-input.ts'
import { previewProvider } from '#lib/admin/providers/read-providers.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { AdminShell } from '../../_ui/admin-shell.tsx'
import { PageHeader } from '../../_ui/page-header.tsx'
import { withAdminErrors } from '../../_ui/with-admin-errors.tsx'
import { type AdminPage, requireAdminPage } from '../../admin-page.ts'
import { callUseCase } from '../../call-use-case.ts'
import { AskIssuer } from './ask-issuer.tsx'
import { NameProvider } from './name-provider.tsx'
import { RegisterProvider } from './register-provider.tsx'

const steps = [
  'Step 1 of 3: who is it?',
  'Step 2 of 3: what it says',
  'Step 3 of 3: who we are there',
] as const

export default withAdminErrors(NewProviderPage)

async function NewProviderPage(input: PageInput) {
  const page = await requireAdminPage('providers:create', '/admin/providers/new', input)
  const { step, content } = await stepOf(page)
  return (
    <AdminShell page={page} title="New identity provider">
      <PageHeader
        title="New identity provider"
        back={{ name: 'Identity providers', href: '/admin/providers' }}
        description={steps[step]}
      />
      {content}
    </AdminShell>
  )
}

async function stepOf(page: AdminPage) {
  const { query } = page
  const { issuer: pasted = '', scheme = '', display_name: name = '' } = query
  const isAsked = pasted !== '' && pasted.length <= 2000
  if (!isAsked)
    return { step: 0, content: <AskIssuer query={query} problem={null} namedIssuer={null} /> } as const
  const preview = await callUseCase(page, previewProvider, { issuer: pasted })
  if (preview.kind !== 'found') {
    const { sentence, named_issuer: namedIssuer } = preview
    return {
      step: 0,
      content: <AskIssuer query={query} problem={sentence} namedIssuer={namedIssuer} />,
    } as const
  }
  const problem = scheme === '' ? null : await schemeProblem(page, scheme)
  if (scheme === '' || problem !== null)
    return { step: 1, content: <NameProvider preview={preview} query={query} problem={problem} /> } as const
  const content = (
    <RegisterProvider page={page} preview={preview} scheme={scheme} name={name.trim() || scheme} />
  )
  return { step: 2, content } as const
}

async function schemeProblem({ ports }: AdminPage, scheme: string): Promise<string | null> {
  const read = providerFields.scheme.safeParse(scheme, { error: plainMessage })
  if (!read.success) return `It ${read.error.issues[0]?.message ?? 'is no scheme'}.`
  return (await ports.providers.find(read.data)) === null ? null : `There is a provider "${scheme}" already.`
}
