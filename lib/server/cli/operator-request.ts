/** What the command line asks for, and what becomes of it. No secret is in either: a link's handle stays where it was made. */
import { z } from 'zod'
import { appoint, type OperatorPorts, offerInvitation } from '#lib/admin/access/operator.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import type { Digest } from '#lib/protocol/ids.ts'

const digestSchema = z.custom<Digest>(text => typeof text === 'string' && /^[A-Za-z0-9_-]{43}$/.test(text))

export const operatorRequestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('invite'),
    digest: digestSchema,
    role: adminRoleSchema,
    createdAt: z.coerce.date(),
    expiresAt: z.coerce.date(),
  }),
  z.object({ kind: z.literal('appoint'), username: z.string().min(1).max(255), role: adminRoleSchema }),
])

export type OperatorRequest = z.output<typeof operatorRequestSchema>

/** `problem: null` when it is done; else a sentence for the operator. */
export const operatorAnswerSchema = z.object({ problem: z.string().nullable() })
export type OperatorAnswer = z.output<typeof operatorAnswerSchema>

export async function carryOut(ports: OperatorPorts, request: OperatorRequest): Promise<OperatorAnswer> {
  if (request.kind === 'invite') {
    const { kind, ...invitation } = request
    await offerInvitation(ports, { ...invitation, createdBy: null })
    return { problem: null }
  }
  const { kind } = await appoint(ports, request)
  return { problem: problems[kind](request.username) }
}

const problems = {
  appointed: () => null,
  unknown: (name: string) =>
    `There is nobody with the user name "${name}". Leave --username out to get a link for a new account.`,
  last_owner: (name: string) => `"${name}" is the only owner. Make another owner first.`,
} as const
