/** Commands of `npm run admin` and their results. Neither has a secret: the handle of a link stays in the process that made it. */
import { z } from 'zod'
import { appoint, type OperatorPorts, offerInvitation } from '#lib/admin/access/operator.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import type { Digest } from '#lib/protocol/ids.ts'

const digestSchema = z.custom<Digest>(text => typeof text === 'string' && /^[A-Za-z0-9_-]{43}$/.test(text))

export const commandSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('invite'),
    digest: digestSchema,
    role: adminRoleSchema,
    createdAt: z.coerce.date(),
    expiresAt: z.coerce.date(),
  }),
  z.object({ kind: z.literal('appoint'), username: z.string().min(1).max(255), role: adminRoleSchema }),
])

export type Command = z.output<typeof commandSchema>

/** `problem: null` when the command was carried out; otherwise a sentence for the operator. */
export const commandResultSchema = z.object({ problem: z.string().nullable() })
export type CommandResult = z.output<typeof commandResultSchema>

export async function runCommand(ports: OperatorPorts, command: Command): Promise<CommandResult> {
  if (command.kind === 'invite') {
    const { kind, ...invitation } = command
    await offerInvitation(ports, { ...invitation, createdBy: null })
    return { problem: null }
  }
  const { kind } = await appoint(ports, command)
  return { problem: problems[kind](command.username) }
}

const problems = {
  appointed: () => null,
  unknown: (name: string) =>
    `There is no user "${name}". Leave --username out to get a link for a new account.`,
  last_owner: (name: string) => `"${name}" is the only owner. Make another owner first.`,
} as const
