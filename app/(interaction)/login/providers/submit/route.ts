import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { encodeForm, readForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/login/providers/submit',
  refuse: refuseWithPage,
  POST: async ({ request, cookies, services: s }) => {
    requireSameOrigin(request, s.config.issuer)
    const { email = '', ...form } = await readForm(request)
    const pending = parseHandle('pending', form.pending)
    const interaction = await s.findPending(pending, cookies.browser)
    const providers = pending === null ? await s.enabledProviders() : (interaction?.providers ?? [])
    const provider = s.providerForEmail(providers, email)
    const back = backPath(form.back)
    const waiting = [
      ...(pending === null ? [] : [['pending', pending] as const]),
      ...(back === null ? [] : [['back', back] as const]),
    ]
    return provider === null
      ? seeOther(`/login/providers?${encodeForm([...waiting, ['error', 'unknown_domain']])}`)
      : seeOther(`/login/external/${provider.scheme}/start?${encodeForm(waiting)}`)
  },
})
