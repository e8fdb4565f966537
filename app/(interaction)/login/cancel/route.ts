import { hostedForm } from '#app/_ui/hosted-route.ts'
import { cancelRequest } from '#lib/core/authorize/resume.ts'
import { respondAuthorize } from '#lib/http/authorize.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm('/login/cancel', async posted => {
  const { form, cookies, context, services } = posted
  const pending = parseHandle('pending', form.pending)
  const outcome = await cancelRequest(services.pendingPorts(), { pending, browser: cookies.browser }, context)
  return respondAuthorize(outcome, posted, cookies.browser)
})
