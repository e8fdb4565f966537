import { hostedForm } from '#app/_ui/hosted-route.ts'
import { choiceProblemQuery } from '#app/_ui/new-password.tsx'
import { encodeForm, readPasswordForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import { chooseNewPassword } from '#lib/identity/new-password.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/login/new-password/submit',
  async posted => {
    const { request, cookies, context, services } = posted
    const { partial: given = '', password = '', again = '' } = posted.form
    const { browser, session: previous, knownBrowser } = cookies
    const partial = parseHandle('partial', given)
    const proof = { partial, browser }
    const answer = await chooseNewPassword(
      services.pendingPorts(),
      { ...proof, password, again, previous, knownBrowser },
      context,
    )
    if (answer.kind === 'unfit') {
      return seeOther(`${newPasswordPath}?${encodeForm([['partial', given]])}&${choiceProblemQuery(answer)}`)
    }
    const back = readBack(request.headers.get('cookie'), services.config.issuer)
    return respondSignIn(answer, posted, { pending: answer.pending, username: null, back })
  },
  readPasswordForm,
)
