/**
 * Determines the caller of the admin API: the administrator whose access token the request presents, a user or a
 * client.
 */
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { apiRoot } from '#lib/admin/api/root.ts'
import type { Actor } from '#lib/admin/use-case.ts'
import { presentedToken } from '#lib/core/userinfo/userinfo.ts'
import { readAccessToken } from '#lib/core/validation/read-access-token.ts'
import type { Administrator } from '#lib/ports/administration.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'

export type AdminCaller =
  | { readonly kind: 'actor'; readonly actor: Actor }
  /** A refusal. `isKnown`: the token is valid, but not sufficient. `error` is the code of RFC 6750 3.1, if one fits. */
  | {
      readonly kind: 'refused'
      readonly isKnown: boolean
      readonly detail: string
      readonly error: 'invalid_token' | 'insufficient_scope' | null
    }

/**
 * Determines the caller. The subject of a client with its own token is its client ID, which no user's subject can
 * equal. An app that acts for a user needs a recent sign-in for sensitive operations, as in the dashboard, however long
 * its tokens are valid (AD-04).
 */
export async function adminCaller(
  ports: AdminPorts,
  authorization: string | null,
  context: RequestContext,
): Promise<AdminCaller> {
  const token = presentedToken({ authorization, bodyToken: null })
  const read = token.kind === 'one' ? await readAccessToken(ports, token.value) : null
  if (read === null) return unknown(ports, token.kind === 'none' ? 'no_token' : 'invalid_token', context)
  const subject = read.grant?.subject ?? read.client.clientId
  if (!read.scopes.includes(adminScope))
    return refuse(ports, { subject, reason: 'admin_scope_missing' }, context)
  const administrator = await administratorOf(ports, subject)
  if (administrator === null) return refuse(ports, { subject, reason: 'not_an_administrator' }, context)
  const authenticatedAt = read.grant?.authenticatedAt ?? null
  return {
    kind: 'actor',
    actor: { subject: administrator.subject, role: administrator.role, authenticatedAt },
  }
}

/** Finds an administrator. A client ID can contain spaces, which a subject cannot. */
async function administratorOf(
  { administrators }: AdminPorts,
  subject: string,
): Promise<Administrator | null> {
  const named = subjectIdSchema.safeParse(subject)
  return named.success ? administrators.find(named.data) : null
}

function unknown(
  ports: AdminPorts,
  reason: 'no_token' | 'invalid_token',
  context: RequestContext,
): AdminCaller {
  const details = { endpoint: apiRoot }
  ports.events.record({ name: 'request_refused', outcome: 'failure', reason, details }, context)
  const detail = `Send a valid access token with the scope ${adminScope} in the Authorization header.`
  return { kind: 'refused', isKnown: false, detail, error: reason === 'no_token' ? null : reason }
}

const details = {
  admin_scope_missing: `The access token lacks the scope ${adminScope}.`,
  not_an_administrator: 'The owner of this token is not an administrator. An owner can change that.',
} as const

function refuse(
  ports: AdminPorts,
  { subject, reason }: { readonly subject: string; readonly reason: keyof typeof details },
  context: RequestContext,
): AdminCaller {
  ports.events.record({ name: 'admin_refused', outcome: 'failure', subject, reason }, context)
  const error = reason === 'admin_scope_missing' ? 'insufficient_scope' : null
  return { kind: 'refused', isKnown: true, detail: details[reason], error }
}
