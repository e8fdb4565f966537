import { acceptInvitation, type SetUpAnswer, type SetUpOutcome } from '#lib/admin/access/accept-invitation.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { endedSetUpAttemptCookie, setUpAttemptCookie } from '#lib/http/step-cookies.ts'
import { currentSession } from '#lib/identity/session.ts'
import { openServices, type Services } from '#lib/server/services.ts'
import { newcomerSignInPath } from '../../sign-in/sign-in-path.ts'

/** Accepts an invitation, or returns the form with its errors. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/setup/submit',
  writeRefusal: refuseWithPage,
  POST: async exchange => {
    const { request, cookies, context, services } = exchange
    requireSameOrigin(request, services.config.issuer)
    const { token = '', username = '', name = '', password = '', as } = await readForm(request)
    const form = { token, username, name }
    const session = as === 'current' ? await currentSession(services.ports, cookies.session) : null
    if (as === 'current' && session === null) return again(exchange, form, 'You are no longer signed in.')
    const answer: SetUpAnswer =
      session === null
        ? { kind: 'new', account: { username, name, password } }
        : { kind: 'existing', subject: session.subject }
    const outcome = await acceptInvitation(services.admin, { token, answer }, context)
    return respond(outcome, exchange, { form, answer })
  },
})

type Form = { readonly token: string; readonly username: string; readonly name: string }
type Posted = { readonly form: Form; readonly answer: SetUpAnswer }

function respond(outcome: SetUpOutcome, exchange: Exchange<Services>, { form, answer }: Posted): Reply {
  const { issuer } = exchange.services.config
  switch (outcome.kind) {
    case 'accepted': {
      // Another user may be signed in in this browser
      const next = answer.kind === 'new' ? newcomerSignInPath : '/admin/sign-in'
      return seeOther(next, [endedSetUpAttemptCookie(issuer)])
    }
    case 'gone':
      return seeOther(pageOf(form), [endedSetUpAttemptCookie(issuer)])
    case 'limited': {
      const minutes = Math.ceil(outcome.retryAfterSeconds / 60)
      return again(
        exchange,
        form,
        `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
      )
    }
    case 'invalid':
      return withErrors(exchange, form, outcome.errors)
  }
}

function again(exchange: Exchange<Services>, form: Form, message: string): Reply {
  return withErrors(exchange, form, [{ path: '', message }])
}

type Errors = Extract<SetUpOutcome, { kind: 'invalid' }>['errors']

function withErrors(exchange: Exchange<Services>, { token, username, name }: Form, errors: Errors): Reply {
  const { config, sealing } = exchange.services
  const attempt = { username, name, errors }
  return seeOther(pageOf({ token }), [setUpAttemptCookie(sealing, { token, issuer: config.issuer, attempt })])
}

function pageOf({ token }: Pick<Form, 'token'>): string {
  return `/admin/setup?${new URLSearchParams({ token })}`
}
