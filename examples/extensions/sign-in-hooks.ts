/**
 * An app can be closed, employees whom the company's proxy knows skip the sign-in page unless they must sign in again, a contract
 * decides who may sign in at all, users with a new contract must sign it first, and the intranet learns who signed out.
 *
 * The proxy must remove `X-Remote-User` from what browsers send, before it adds its own.
 *
 * The page at `/contract` is yours, on the same origin. It gets `ticket` from here and `partial` from Latchkey; when the user
 * has signed, it calls `recordSignature` with the ticket and sends the browser to `/login/return?partial=…`.
 */
import { randomUUID } from 'node:crypto'
import type { Extensions } from '#lib/ports/extensions.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'

type Employee = { readonly subject: SubjectId; readonly name: string }

/** The employees by the name that the proxy sends. Replace these values with your own systems. */
const employees = new Map<string, Employee>([
  ['COMPANY\\bob', { subject: subjectIdSchema.parse('bob'), name: 'Bob Baker' }],
  ['COMPANY\\dora', { subject: subjectIdSchema.parse('dora'), name: 'Dora Dean' }],
])
const suspended = new Set(['eve'])
const unsigned = new Set(['dora'])
const tickets = new Map<string, string>()
export const signedOut: string[] = []

/** Records a signature. Your contract page calls it; a ticket works once. */
export function recordSignature(ticket: string): void {
  const subject = tickets.get(ticket)
  if (subject !== undefined && tickets.delete(ticket)) unsigned.delete(subject)
}

const extensions: Extensions = {
  async preAuthenticate({ client, headers, mustAuthenticate }) {
    if (client.claims.closed === true) return { kind: 'refused', message: 'This app is closed until Monday.' }
    if (mustAuthenticate) return { kind: 'continue' }
    const employee = employees.get(headers['x-remote-user'] ?? '')
    // RFC 8176: Windows integrated authentication
    return employee === undefined ? { kind: 'continue' } : { kind: 'signed_in', ...employee, amr: ['wia'] }
  },

  async postAuthenticate({ subject, providerClaims }) {
    if (suspended.has(subject)) return { kind: 'refused', message: 'Your contract has ended.' }
    // A user who returns without signing is sent to the contract again
    if (unsigned.has(subject)) return { kind: 'partial', path: `/contract?ticket=${newTicket(subject)}` }
    const department = providerClaims?.department ?? 'none'
    return { kind: 'accepted', claims: { department } }
  },

  async signOut({ subject }) {
    signedOut.push(subject)
  },
}
export default extensions

function newTicket(subject: string): string {
  const ticket = randomUUID()
  tickets.set(ticket, subject)
  return ticket
}
