/**
 * A user service that asks users to accept the terms of use before their first sign-in is complete, and locks out users
 * who withdraw their agreement.
 *
 * Passwords, profiles and accounts stay with the standard service; this one only wraps it. The page at `/terms` is
 * yours, on the same origin. It gets `ticket` from here and `partial` from Latchkey; when the user agreed, it calls
 * `recordAgreement` with the ticket and sends the browser to `/login/return?partial=…`.
 */
import { randomUUID } from 'node:crypto'
import type { Extensions } from '#lib/ports/extensions.ts'
import type { Authentication, UserService } from '#lib/ports/users.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'

type FullAuthentication = Extract<Authentication, { kind: 'full' }>

/** Users who agreed, interrupted sign-ins, and tickets. Replace these with database tables that several nodes can share. */
const agreed = new Set<string>()
const interrupted = new Map<SubjectId, FullAuthentication>()
const tickets = new Map<string, SubjectId>()

/** Records an agreement. Your terms page calls it; a ticket works once. */
export function recordAgreement(ticket: string): void {
  const subject = tickets.get(ticket)
  if (subject !== undefined && tickets.delete(ticket)) agreed.add(subject)
}

/**
 * Withdraws an agreement. Your account page calls it. Sessions and tokens are refused from their next request on; the next
 * sign-in shows the terms again.
 */
export function withdrawAgreement(subject: string): void {
  agreed.delete(subject)
}

function withTerms(standard: UserService): UserService {
  return {
    ...standard,
    authenticate: async (credentials, hints) => askForTerms(await standard.authenticate(credentials, hints)),
    authenticateExternal: async (identity, hints) =>
      askForTerms(await standard.authenticateExternal(identity, hints)),
    completePartial: async subject => {
      const authentication = interrupted.get(subject)
      // The user may have been locked in the meantime
      if (authentication === undefined || !(await standard.isActive(subject)))
        return { kind: 'refused', message: null }
      return askForTerms(authentication)
    },
    authenticateSubject: async (subject, hints) => {
      const authenticate = standard.authenticateSubject ?? standard.completePartial
      return askForTerms(await authenticate(subject, hints))
    },
    isActive: async subject => agreed.has(subject) && (await standard.isActive(subject)),
  }
}

function askForTerms(authentication: Authentication): Authentication {
  if (authentication.kind !== 'full') return authentication
  const { subject } = authentication
  if (agreed.has(subject)) {
    interrupted.delete(subject)
    return authentication
  }
  const ticket = randomUUID()
  tickets.set(ticket, subject)
  interrupted.set(subject, authentication)
  return { kind: 'partial', subject, path: `/terms?ticket=${ticket}` }
}

const extensions: Extensions = { userService: (_users, standard) => withTerms(standard) }
export default extensions
