/**
 * Employees whom the company's proxy knows are signed in without a page, a contract decides who may sign in at all, and the
 * intranet learns who signed out.
 *
 * The proxy must remove `X-Remote-User` from what browsers send, before it adds its own.
 */
import type { Extensions } from '#lib/ports/extensions.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'

type Employee = { readonly subject: SubjectId; readonly name: string }

/** Replace these three with your own systems. */
const employees = new Map<string, Employee>([
  ['COMPANY\\bob', { subject: subjectIdSchema.parse('bob'), name: 'Bob Baker' }],
])
const suspended = new Set(['eve'])
export const signedOut: string[] = []

const extensions: Extensions = {
  async preAuthenticate({ client, headers }) {
    if (client.claims.closed === true) return { kind: 'refused', message: 'This app is closed until Monday.' }
    const employee = employees.get(headers['x-remote-user'] ?? '')
    // RFC 8176: Windows integrated authentication
    return employee === undefined ? { kind: 'continue' } : { kind: 'signed_in', ...employee, amr: ['wia'] }
  },

  async postAuthenticate({ subject, providerClaims }) {
    if (suspended.has(subject)) return { kind: 'refused', message: 'Your contract has ended.' }
    const department = providerClaims?.department ?? 'none'
    return { kind: 'accepted', claims: { department } }
  },

  async signOut({ subject }) {
    signedOut.push(subject)
  },
}
export default extensions
