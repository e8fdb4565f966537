/** `npm run admin -- create`: makes an administrator from the command line, with or without a running server. */
import { parseArgs } from 'node:util'
import { newInvitation, setUpLink } from '#lib/admin/access/invitations.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { adminSession as limits } from '#lib/config/limits.ts'
import { createHashing } from '#lib/crypto/hashing.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { type AdminRole, adminRoleSchema, adminRoles } from '#lib/protocol/admin-role.ts'
import { requireDatabase } from '#lib/storage/open-audit-trail.ts'
import { isLeased } from '#lib/storage/sqlite/sqlite-lease.ts'
import type { Command, CommandResult } from './command.ts'
import { commandSocketOf, sendCommand } from './command-socket.ts'

const usage = `Usage: npm run admin -- create [--role <role>] [--username <name>]

Makes an administrator of the dashboard. The server may be running or not.

  --role <role>       ${adminRoles.join(', ')}. Default: owner.
  --username <name>   A user who has an account gets the role immediately.
                      Without it you get a link that works once, for a day;
                      a new link replaces the earlier one for that role.

Reads the same settings as the server. Exits with 0 when done, 1 when it failed,
2 when the command or a setting is wrong.
`

type Wanted = { readonly role: AdminRole; readonly username: string | null }

process.exitCode = await main(process.argv.slice(2)).catch(reportFailure)

async function main(given: readonly string[]): Promise<number> {
  if (given.length === 0 || given.includes('--help') || given[0] === 'help') return say(usage)
  const wanted = readArguments(given)
  if (typeof wanted === 'string') return refuse(`${wanted}\n\n${usage}`, 2)
  const config = readConfig(process.env)
  return wanted.username === null
    ? invite(config, wanted.role)
    : appoint(config, { role: wanted.role, username: wanted.username })
}

/** The parsed arguments, or a sentence with what is wrong. */
function readArguments(given: readonly string[]): Wanted | string {
  const options = { role: { type: 'string' }, username: { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true })
    if (positionals.join(' ') !== 'create') return `There is no command "${positionals.join(' ')}".`
    const role = adminRoleSchema.safeParse(values.role ?? 'owner')
    if (!role.success) return `"${values.role}" is not a role. The roles are ${adminRoles.join(', ')}.`
    return { role: role.data, username: values.username ?? null }
  } catch (error) {
    return error instanceof Error ? error.message : 'The arguments cannot be read.'
  }
}

/** The link exists only in this process; the server stores a digest. */
async function invite(config: Config, role: AdminRole): Promise<number> {
  const parts = { random: createRandom(), hashing: createHashing(), clock: { now: () => new Date() } }
  const wanted = { role, createdBy: null, lifetimeSeconds: limits.invitationSeconds }
  const { handle, invitation } = newInvitation(parts, wanted)
  const { digest, createdAt, expiresAt } = invitation
  const { problem } = await run(config, { kind: 'invite', digest, role, createdAt, expiresAt })
  if (problem !== null) return refuse(`${problem}\n`, 1)
  const link = setUpLink(config.issuer, handle)
  return say(
    `The first user who opens this link gets the role ${role}. It works until ${expiresAt.toUTCString()}.\n\n${link}\n`,
  )
}

async function appoint(
  config: Config,
  { username, role }: { readonly username: string; readonly role: AdminRole },
): Promise<number> {
  const { problem } = await run(config, { kind: 'appoint', username, role })
  if (problem !== null) return refuse(`${problem}\n`, 1)
  return say(`${username} has the role ${role}. The dashboard is at ${config.issuer}/admin\n`)
}

/** Only one process may write to SQLite: a running server runs the command, and this process need not load what it needs. */
async function run(config: Config, command: Command): Promise<CommandResult> {
  const { database } = config
  requireDatabase(database)
  if (database.kind === 'sqlite' && isLeased(database.file)) {
    const result = await sendCommand(commandSocketOf(database.file), command)
    return result ?? { problem: unanswered }
  }
  const { runCommandLocally } = await import('./run-locally.ts')
  return runCommandLocally(config, command)
}

const unanswered =
  'A server has the database open but did not answer. Run this command as the account that the server runs as, or stop the server first.'

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

function refuse(text: string, code: number): number {
  process.stderr.write(text)
  return code
}

function reportFailure(error: unknown): number {
  if (isConfigError(error)) return refuse(`${error.message}\n`, 2)
  return refuse(`Failed: ${error instanceof Error ? error.message : 'unknown reason'}\n`, 1)
}
