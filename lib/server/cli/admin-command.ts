/** `npm run admin -- create`: makes an administrator from the command line, beside a running server or without one. */
import { parseArgs } from 'node:util'
import { newInvitation, setUpLink } from '#lib/admin/access/invitations.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { adminSession as limits } from '#lib/config/limits.ts'
import { createHashing } from '#lib/crypto/hashing.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { type AdminRole, adminRoleSchema, adminRoles } from '#lib/protocol/admin-role.ts'
import { requireDatabase } from '#lib/storage/require-database.ts'
import { isLeased } from '#lib/storage/sqlite/sqlite-lease.ts'
import { askServer, mailboxOf } from './operator-mailbox.ts'
import type { OperatorAnswer, OperatorRequest } from './operator-request.ts'

const usage = `Usage: npm run admin -- create [--role <role>] [--username <name>]

Makes an administrator of the dashboard, whether the server runs or not.

  --role <role>       ${adminRoles.join(', ')}. Default: owner.
  --username <name>   Somebody who has an account: they get the role at once.
                      Without it you get a link that works once, for a day;
                      a new link replaces the one before it for that role.

Reads the same settings as the server. Ends with 0 when done, 1 when that failed,
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

/** What is wanted, or what is wrong with it. */
function readArguments(given: readonly string[]): Wanted | string {
  const options = { role: { type: 'string' }, username: { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true })
    if (positionals.join(' ') !== 'create') return `There is no command "${positionals.join(' ')}".`
    const role = adminRoleSchema.safeParse(values.role ?? 'owner')
    if (!role.success) return `"${values.role}" is no role. There are ${adminRoles.join(', ')}.`
    return { role: role.data, username: values.username ?? null }
  } catch (error) {
    return error instanceof Error ? error.message : 'The arguments cannot be read.'
  }
}

/** The link is made here and only here; whoever stores it learns a digest. */
async function invite(config: Config, role: AdminRole): Promise<number> {
  const parts = { random: createRandom(), hashing: createHashing(), clock: { now: () => new Date() } }
  const wanted = { role, createdBy: null, lifetimeSeconds: limits.invitationSeconds }
  const { handle, invitation } = newInvitation(parts, wanted)
  const { digest, createdAt, expiresAt } = invitation
  const { problem } = await ask(config, { kind: 'invite', digest, role, createdAt, expiresAt })
  if (problem !== null) return refuse(`${problem}\n`, 1)
  const link = setUpLink(config.issuer, handle)
  return say(
    `Whoever opens this link first gets the role ${role}. It works until ${expiresAt.toUTCString()}.\n\n${link}\n`,
  )
}

async function appoint(
  config: Config,
  { username, role }: { readonly username: string; readonly role: AdminRole },
): Promise<number> {
  const { problem } = await ask(config, { kind: 'appoint', username, role })
  if (problem !== null) return refuse(`${problem}\n`, 1)
  return say(`${username} has the role ${role}. The dashboard is at ${config.issuer}/admin\n`)
}

/** SQLite has one process that writes: if a server is it, the server does it for us, and we need not load what it needs. */
async function ask(config: Config, request: OperatorRequest): Promise<OperatorAnswer> {
  const { database } = config
  requireDatabase(database)
  if (database.kind === 'sqlite' && isLeased(database.file)) {
    const answer = await askServer(mailboxOf(database.file), request)
    return answer ?? { problem: unanswered }
  }
  const { carryOutAlone } = await import('./operator-alone.ts')
  return carryOutAlone(config, request)
}

const unanswered =
  'A server has the database open, but it did not answer. Run this command as the user the server runs as, or stop the server first.'

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
  return refuse(`That failed: ${error instanceof Error ? error.message : 'for an unknown reason'}\n`, 1)
}
