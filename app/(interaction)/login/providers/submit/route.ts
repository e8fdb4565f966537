import { encodeForm } from '#lib/http/decode-form.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/login/providers/submit',
  refuse: refuseWithPage,
  POST: async ({ request, cookies, services: s }) => {
    requireSameOrigin(request, s.config.issuer)
    const { email = '', pending: handle } = await readForm(request)
    const pending = parseHandle('pending', handle)
    const interaction = await s.findPending(pending, cookies.browser)
    const providers = pending === null ? await s.enabledProviders() : (interaction?.providers ?? [])
    const provider = s.providerForEmail(providers, email)
    const waiting = pending === null ? [] : [['pending', pending] as const]
    return provider === null
      ? seeOther(`/login/providers?${encodeForm([...waiting, ['error', 'unknown_domain']])}`)
      : seeOther(`/login/external/${provider.scheme}/start?${encodeForm(waiting)}`)
  },
})
