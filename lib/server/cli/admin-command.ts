/** `npm run admin`: creates administrators, resets factors and sets the level of the log, with or without a running server. */
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import '../start/restrict-new-files.mjs'
import { parseArgs } from 'node:util'
import { newInvitation, setUpLink } from '#lib/admin/access/invitations.ts'
import { longestLevelSeconds, temporaryLevels } from '#lib/admin/log-level.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { adminSession as limits } from '#lib/config/limits.ts'
import { createHashing } from '#lib/crypto/hashing.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { type AdminRole, adminRoleSchema, adminRoles } from '#lib/protocol/admin-role.ts'
import type { Command } from './command.ts'
import { refuse, reportFailure, say } from './command-output.ts'
import { carryOut } from './send-command.ts'

const usage = `Usage: npm run admin -- create [--role <role>] [--username <name>]
       npm run admin -- reset-factors <name> [--passkeys] [--keep-sessions]
       npm run admin -- log-level <level> [--for <time>]

create makes an administrator of the dashboard.

  --role <role>       ${adminRoles.join(', ')}. Default: owner.
  --username <name>   A user who has an account gets the role immediately.
                      Without it you get a link that works once, for a day;
                      a new link replaces the earlier one for that role.

reset-factors removes the authenticator app, the recovery codes and the trusted
browsers of a user who has lost them, and signs the user out everywhere. <name> is
a user name or, with a custom user service, a subject. A mail informs the user.

  --passkeys          Removes the passkeys as well.
  --keep-sessions     Does not sign the user out.

log-level sets the level of the log of all nodes for a while, without a restart:
${temporaryLevels.join(', ')}; or default, to return to LOG_LEVEL.

  --for <time>        A number with s, m or h, at most 24h. Default: 10m.

The server may be running or not. Reads the same settings as the server. Exits with
0 when done, 1 when it failed, 2 when the command or a setting is wrong.
`

type Wanted =
  | { readonly kind: 'create'; readonly role: AdminRole; readonly username: string | null }
  | Extract<Command, { kind: 'reset_factors' | 'log_level' }>

process.exitCode = await main(process.argv.slice(2)).catch(reportFailure)

async function main(given: readonly string[]): Promise<number> {
  if (given.length === 0 || given.includes('--help') || given[0] === 'help') return say(usage)
  const wanted = readArguments(given)
  if (typeof wanted === 'string') return refuse(`${wanted}\n\n${usage}`, 2)
  const config = readConfig(process.env)
  if (wanted.kind === 'reset_factors' || wanted.kind === 'log_level') return report(config, wanted)
  return wanted.username === null
    ? invite(config, wanted.role)
    : appoint(config, { role: wanted.role, username: wanted.username })
}

/** Parses the arguments. Returns a message for the operator if they are invalid. */
function readArguments([command = '', ...given]: readonly string[]): Wanted | string {
  try {
    switch (command) {
      case 'create':
        return readCreation(given)
      case 'reset-factors':
        return readReset(given)
      case 'log-level':
        return readLevel(given)
      default:
        return `There is no command "${command}".`
    }
  } catch (error) {
    return error instanceof Error ? error.message : 'The arguments cannot be read.'
  }
}

function readCreation(given: readonly string[]): Wanted | string {
  const options = { role: { type: 'string' }, username: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...given], options })
  const role = adminRoleSchema.safeParse(values.role ?? 'owner')
  if (!role.success) return `"${values.role}" is not a role. The roles are ${adminRoles.join(', ')}.`
  return { kind: 'create', role: role.data, username: values.username ?? null }
}

function readReset(given: readonly string[]): Wanted | string {
  const options = { passkeys: { type: 'boolean' }, 'keep-sessions': { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true })
  const [name] = positionals
  if (name === undefined || positionals.length > 1) return 'Name one user whose factors are to be reset.'
  const { passkeys = false, 'keep-sessions': keepsSessions = false } = values
  return { kind: 'reset_factors', name, passkeys, signOut: !keepsSessions }
}

function readLevel(given: readonly string[]): Wanted | string {
  const options = { for: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true })
  const [name] = positionals
  const level = temporaryLevels.find(each => each === name) ?? null
  if (positionals.length !== 1 || (level === null && name !== 'default'))
    return `Name one level: ${temporaryLevels.join(', ')} or default.`
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(values.for ?? '10m') ?? []
  const seconds = Number(count) * secondsOf(unit)
  if (!(seconds >= 1 && seconds <= longestLevelSeconds))
    return `--for is "${values.for}", but it must be a number with s, m or h, such as 10m, and at most 24h.`
  return { kind: 'log_level', level, seconds }
}

function secondsOf(unit: string): number {
  if (unit === 's') return 1
  return unit === 'm' ? 60 : 3600
}

async function report(config: Config, command: Command): Promise<number> {
  const { problem, report: done = 'Done.' } = await carryOut(config, command)
  return problem === null ? say(`${done}\n`) : refuse(`${problem}\n`, 1)
}

/** Creates an invitation and prints its link, which exists only in this process; the server stores a digest. */
async function invite(config: Config, role: AdminRole): Promise<number> {
  const parts = { random: createRandom(), hashing: createHashing(), clock: { now: () => new Date() } }
  const wanted = { role, createdBy: null, lifetimeSeconds: limits.invitationSeconds }
  const { handle, invitation } = newInvitation(parts, wanted)
  const { digest, createdAt, expiresAt } = invitation
  const { problem } = await carryOut(config, { kind: 'invite', digest, role, createdAt, expiresAt })
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
  const { problem } = await carryOut(config, { kind: 'appoint', username, role })
  if (problem !== null) return refuse(`${problem}\n`, 1)
  return say(`${username} has the role ${role}. The dashboard is at ${ownUrl(config.issuer, '/admin')}\n`)
}
