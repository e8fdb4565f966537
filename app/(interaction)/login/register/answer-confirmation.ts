/** Creates the account of a link, and redirects: to the app or the account, or to a page that says why not. */
import type { FormExchange } from '#app/_ui/hosted-route.ts'
import { type FormFields, withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { confirmRegistration } from '#lib/identity/registration/confirm-registration.ts'
import type { MailLinkHandle } from '#lib/protocol/ids.ts'
import { carriedFields } from '../sign-in-step.ts'

type Typed = { readonly link: MailLinkHandle | null; readonly password: string }

export async function answerConfirmation(
  posted: FormExchange<FormFields>,
  { link, password }: Typed,
): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const { browser, sessions: previous, knownBrowser } = cookies
  const canCreatePasskeys = form.passkeys === 'yes'
  const input = { link, password, browser, previous, knownBrowser, canCreatePasskeys }
  const outcome = await confirmRegistration(services.pendingPorts(), input, context)
  const here = `/login/register/confirm?link=${link ?? ''}`
  switch (outcome.kind) {
    case 'registered': {
      const { pending, back, username } = outcome.signIn
      return respondSignIn(outcome.signIn, posted, { pending, back, username })
    }
    case 'taken': {
      const { pending, back, invitation } = outcome
      const carried = carriedFields({ pending, back })
      return seeOther(
        withQuery('/login/register', [...carried, ['invitation', invitation], ['faults', 'username.taken']]),
      )
    }
    case 'limited':
      return seeOther(`${here}&error=limited&wait=${Math.ceil(outcome.retryAfterSeconds)}`)
    case 'wrong_password':
      return seeOther(`${here}&error=wrong`)
    case 'exists': {
      const carried = carriedFields(outcome)
      return seeOther(withQuery('/login', [...carried, ['done', 'account_exists']]))
    }
    case 'expired':
      return seeOther(here)
  }
}
