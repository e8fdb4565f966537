/** Ends the time in which the browser can show the new recovery codes again. */
import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { endedTwoStepCookie } from '#lib/http/two-step-cookie.ts'
import { recoveryCodesPath } from '#lib/protocol/wire/local-paths.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  `${recoveryCodesPath}/saved`,
  ({ services }) => seeOther('/account', [endedTwoStepCookie(services.config.issuer)]),
)
