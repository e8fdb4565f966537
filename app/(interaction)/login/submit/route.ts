import { hostedForm } from '#app/_ui/hosted-route.ts'
import { readPasswordForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { loginAgain, respondSignIn } from '#lib/http/respond-sign-in.ts'
import { backPath, longestUsername } from '#lib/http/step-cookies.ts'
import { signIn } from '#lib/identity/sign-in.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/login/submit',
  async posted => {
    const { form, cookies, context, services } = posted
    const { username = '', password = '', remember } = form
    const pending = parseHandle('pending', form.pending)
    const back = backPath(form.back)
    const again = (why: 'missing' | 'credentials') =>
      seeOther(loginAgain({ pending, back }, { why, retryAfterSeconds: 0 }))
    if (username.trim() === '' || password === '') return again('missing')
    if (username.length > longestUsername) return again('credentials')
    const { browser, session: previous, knownBrowser } = cookies
    const entered = { username, password, remember: remember !== undefined }
    const answer = await signIn(
      services.pendingPorts(),
      { ...entered, pending, browser, previous, knownBrowser },
      context,
    )
    return respondSignIn(answer, posted, { pending, username, back })
  },
  readPasswordForm,
)
