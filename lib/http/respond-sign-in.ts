/** The one place where the outcome of a sign-in, of any kind, becomes cookies and a redirect. */
import type { Handle, PendingHandle, SessionHandle } from '#lib/protocol/ids.ts'
import { attemptCookie, endedAttemptCookie } from './attempted-username.ts'
import { deviceCookie, sessionCookie } from './cookies.ts'
import { encodeForm } from './decode-form.ts'
import { errorReply } from './error-page.ts'
import type { EndpointServices, Exchange } from './exchange.ts'
import { localPath } from './local-path.ts'
import { refusedWith } from './refused.ts'
import { type Reply, seeOther } from './reply.ts'

/** Satisfied by the outcomes of `lib/identity`. */
export type SignInAnswer =
  | {
      readonly kind: 'signed_in'
      readonly session: SessionHandle
      readonly persistSeconds: number | null
      readonly device: string | null
    }
  | { readonly kind: 'partial'; readonly path: string; readonly partial: Handle<'partial'> }
  | {
      readonly kind: 'refused'
      readonly why: string
      readonly message: string | null
      readonly retryAfterSeconds: number
    }
  | { readonly kind: 'expired' }

type SealingServices = EndpointServices & { readonly sealing: Parameters<typeof attemptCookie>[0] }
export type SignInPlace = { readonly pending: PendingHandle | null; readonly username: string | null }

/** On success to `resume`, or to the account when no app waits; else back to the login page, which says why. */
export function respondSignIn(
  answer: SignInAnswer,
  exchange: Exchange<SealingServices>,
  { pending, username }: SignInPlace,
): Reply {
  const { config, sealing } = exchange.services
  switch (answer.kind) {
    case 'signed_in': {
      const device = answer.device === null ? [] : [deviceCookie(answer.device, config.issuer)]
      const cookies = [sessionCookie(answer, config.issuer), ...device, endedAttemptCookie(config.issuer)]
      return seeOther(continuation(pending), cookies)
    }
    case 'partial':
      return seeOther(withPartial(answer.path, answer.partial))
    case 'refused': {
      const attempt = { username: username ?? '', message: answer.message }
      return seeOther(loginAgain(pending, answer), [attemptCookie(sealing, attempt, config.issuer)])
    }
    case 'expired':
      return errorReply(refusedWith('request_expired'), exchange, null)
  }
}

/** Where a person goes on after an interaction. */
export function continuation(pending: PendingHandle | null): string {
  return pending === null ? '/account' : `/connect/authorize/resume?pending=${pending}`
}

/** The login page, with the kind of the failure and nothing else of the try. */
export function loginAgain(
  pending: PendingHandle | null,
  { why, retryAfterSeconds }: { readonly why: string; readonly retryAfterSeconds: number },
): string {
  const wait = retryAfterSeconds > 0 ? [['wait', String(Math.ceil(retryAfterSeconds))] as const] : []
  const request = pending === null ? [] : [['pending', pending] as const]
  return `/login?${encodeForm([...request, ['error', why], ...wait])}`
}

function withPartial(path: string, partial: Handle<'partial'>): string {
  const target = localPath(path, '/login')
  return `${target}${target.includes('?') ? '&' : '?'}partial=${partial}`
}
