/** Ends the time in which the browser can show the new recovery codes again. */
import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { endedTwoStepCookie } from '#lib/http/two-step-cookie.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { recoveryCodesPath } from '#lib/protocol/wire/local-paths.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  `${recoveryCodesPath}/saved`,
  ({ form, services }) =>
    seeOther(continuation(parseHandle('pending', form.pending)), [
      endedTwoStepCookie(services.config.issuer),
    ]),
)
