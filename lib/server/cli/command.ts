/**
 * Commands of `npm run admin` and `npm run import`, and their results. An invitation contains only the digest of its
 * handle, which stays in the process that made it. The source of an import may contain a database password.
 */
import { z } from 'zod'
import { appoint, entryOf, type OperatorPorts, offerInvitation } from '#lib/admin/access/operator.ts'
import { type ResetPorts, resetFactorsByOperator } from '#lib/admin/access/reset-by-operator.ts'
import { longestLevelSeconds, setLogLevel, temporaryLevels } from '#lib/admin/log-level.ts'
import { type SelfTestResult, selfTestResultSchema } from '#lib/admin/status/finding.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import type { ImportPorts } from '#lib/import/planning.ts'
import { importNames } from '#lib/import/products.ts'
import { importOutcomes, runImport } from '#lib/import/run-import.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import type { Digest } from '#lib/protocol/ids.ts'

import { type RotationPorts, rotateMasterKey } from './rotate-master-key.ts'

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
  z.object({
    kind: z.literal('reset_factors'),
    name: z.string().min(1).max(255),
    passkeys: z.boolean(),
    signOut: z.boolean(),
  }),
  z.object({ kind: z.literal('self_test') }),
  z.object({
    kind: z.literal('log_level'),
    level: z.enum(temporaryLevels).nullable(),
    seconds: z.number().int().min(1).max(longestLevelSeconds),
  }),
  z.object({
    kind: z.literal('rotate_master_key'),
    keyIds: z.array(z.string().length(8)).describe('The IDs of the two master keys of the caller.'),
  }),
  z.object({
    kind: z.literal('import'),
    product: z.enum(importNames),
    source: z.string().min(1),
    isDryRun: z.boolean(),
    skipsRefused: z.boolean(),
    replaces: z.boolean(),
    digest: z.string().nullable(),
  }),
])

export type Command = z.output<typeof commandSchema>

/** The result. `problem`: a message for the operator; `null` when the command was carried out. */
export const commandResultSchema = z.object({
  problem: z.string().nullable(),
  report: z.string().optional().describe('What was done, for the operator.'),
  import: z
    .object({ outcome: z.enum(importOutcomes), report: z.string(), digest: z.string() })
    .optional()
    .describe('What an import found and did.'),
  selfTest: z.array(selfTestResultSchema).optional(),
})
export type CommandResult = z.output<typeof commandResultSchema>

export type CommandPorts = OperatorPorts &
  ImportPorts &
  ResetPorts &
  RotationPorts & { readonly selfTest: () => Promise<readonly SelfTestResult[] | null> }

export async function runCommand(ports: CommandPorts, command: Command): Promise<CommandResult> {
  switch (command.kind) {
    case 'invite': {
      const { kind, ...invitation } = command
      await offerInvitation(ports, { ...invitation, createdBy: null })
      return { problem: null }
    }
    case 'appoint': {
      const { kind } = await appoint(ports, command)
      return { problem: problems[kind](command.username) }
    }
    case 'reset_factors':
      return resetting(ports, command)
    case 'log_level':
      return settingLogLevel(ports, command)
    case 'rotate_master_key':
      return rotateMasterKey(ports, command.keyIds)
    case 'self_test':
      return selfTesting(ports)
    case 'import':
      return importing(ports, command)
  }
}

async function settingLogLevel(
  ports: OperatorPorts,
  command: Extract<Command, { kind: 'log_level' }>,
): Promise<CommandResult> {
  const until = await setLogLevel(ports, command)
  if (until === null) return { problem: 'Another command set the level at the same moment; try again.' }
  const report =
    command.level === null
      ? 'All nodes return to LOG_LEVEL.'
      : `All nodes log at the level ${command.level} until ${until.toUTCString()}, and then at LOG_LEVEL.`
  return { problem: null, report }
}

/** Runs the self-test, with an audit row that is written before its first request. */
async function selfTesting({ adminStore, clock, settings, selfTest }: CommandPorts): Promise<CommandResult> {
  const audit = entryOf('command_line', {
    action: 'status.run_self_test',
    targetKind: 'self_test',
    targetId: settings.issuer,
    before: null,
    after: null,
  })
  await adminStore.commit({ writes: [], audit: [audit] }, clock.now())
  const results = await selfTest()
  if (results === null) return { problem: 'A self-test is running. Try again in a minute.' }
  return { problem: null, selfTest: [...results] }
}

async function resetting(
  ports: ResetPorts,
  { name, passkeys, signOut }: Extract<Command, { kind: 'reset_factors' }>,
): Promise<CommandResult> {
  const reset = await resetFactorsByOperator(ports, { name, passkeys, sign_out: signOut })
  if (reset.kind === 'unknown')
    return { problem: `There is no user "${name}", and no subject "${name}" with factors.` }
  const hint =
    reset.keptPasskeys === 0 ? '' : ` Passkeys that are kept: ${reset.keptPasskeys}; --passkeys removes them.`
  if (reset.kind === 'nothing') return { problem: `"${name}" has no second factor to remove.${hint}` }
  const { authenticator_app: app, passkeys: keys, ...rest } = reset.removed
  const removed = [
    ...(app === null ? [] : ['the authenticator app']),
    ...counted(rest.recovery_codes_left, 'recovery code'),
    ...counted(rest.trusted_browsers.length, 'trusted browser'),
    ...counted(keys.length, 'passkey'),
  ]
  const out = signOut ? ' The user is signed out everywhere.' : ' Sessions continue.'
  const mail = reset.isMailed ? ' A mail informs the user.' : ' No mail was sent: inform the user.'
  return { problem: null, report: `Removed from ${name}: ${list.format(removed)}.${out}${mail}${hint}` }
}

const list = new Intl.ListFormat('en')

function counted(count: number, noun: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]
}

/** Runs an import. An error in the export is a result and not a failure: the operator reads it. */
async function importing(
  ports: ImportPorts,
  command: Extract<Command, { kind: 'import' }>,
): Promise<CommandResult> {
  try {
    return { problem: null, import: await runImport(ports, command) }
  } catch (error) {
    if (!isConfigError(error)) throw error
    return { problem: error.message }
  }
}

const problems = {
  appointed: () => null,
  unknown: (name: string) =>
    `There is no user "${name}". Leave --username out to get a link for a new account.`,
  last_owner: (name: string) => `"${name}" is the only owner. Make another owner first.`,
} as const
