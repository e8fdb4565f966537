import { hostedForm } from '#app/_ui/hosted-route.ts'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import { enabledProviders, providerForEmail } from '#lib/identity/external-provider.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { carriedFields, externalStart } from '../../sign-in-step.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/login/providers/submit',
  async ({ form, cookies, services }) => {
    const pending = parseHandle('pending', form.pending)
    const interaction = await findInteraction(services.pendingPorts(), pending, cookies.browser)
    const providers =
      pending === null ? await enabledProviders(services.ports) : (interaction?.providers ?? [])
    const provider = providerForEmail(providers, form.email ?? '')
    const carried = { pending, back: backPath(form.back) }
    return provider === null
      ? seeOther(`/login/providers?${encodeForm([...carriedFields(carried), ['error', 'unknown_domain']])}`)
      : seeOther(externalStart(provider.scheme, carried))
  },
)
