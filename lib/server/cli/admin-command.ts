/** `npm run admin`: creates administrators, resets factors and sets the level of the log, with or without a running server. */
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import '../start/restrict-new-files.mjs'
import { newInvitation, setUpLink } from '#lib/admin/access/invitations.ts'
import { longestLevelSeconds, temporaryLevels } from '#lib/admin/log-level.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { adminSession as limits } from '#lib/config/limits.ts'
import { createHashing } from '#lib/crypto/hashing.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { type AdminRole, adminRoleSchema, adminRoles } from '#lib/protocol/admin-role.ts'
import type { Command } from './command.ts'
import { flag, readArguments, refuseArguments, runCommandLine, text } from './command-line.ts'
import { refuse, say } from './command-output.ts'
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

process.exitCode = await runCommandLine({ usage, run, needsArguments: true })

async function run(given: readonly string[]): Promise<number> {
  const wanted = readWanted(given)
  const config = readConfig(process.env)
  if (wanted.kind === 'reset_factors' || wanted.kind === 'log_level') return report(config, wanted)
  return wanted.username === null
    ? invite(config, wanted.role)
    : appoint(config, { role: wanted.role, username: wanted.username })
}

function readWanted([command = '', ...given]: readonly string[]): Wanted {
  switch (command) {
    case 'create':
      return readCreation(given)
    case 'reset-factors':
      return readReset(given)
    case 'log-level':
      return readLevel(given)
    default:
      return refuseArguments(`There is no command "${command}".`)
  }
}

function readCreation(given: readonly string[]): Wanted {
  const { values } = readArguments(given, { role: { ...text, default: 'owner' }, username: text })
  const role = adminRoleSchema.safeParse(values.role)
  if (!role.success)
    return refuseArguments(`"${values.role}" is not a role. The roles are ${adminRoles.join(', ')}.`)
  return { kind: 'create', role: role.data, username: values.username ?? null }
}

function readReset(given: readonly string[]): Wanted {
  const options = { passkeys: flag, 'keep-sessions': flag } as const
  const { values, positionals } = readArguments(given, options, { allowPositionals: true })
  const [name, ...others] = positionals
  if (name === undefined || others.length > 0)
    return refuseArguments('Name one user whose factors are to be reset.')
  const { passkeys, 'keep-sessions': keepsSessions } = values
  return { kind: 'reset_factors', name, passkeys, signOut: !keepsSessions }
}

function readLevel(given: readonly string[]): Wanted {
  const options = { for: { ...text, default: '10m' } } as const
  const { values, positionals } = readArguments(given, options, { allowPositionals: true })
  const [name, ...others] = positionals
  const level = temporaryLevels.find(each => each === name) ?? null
  if (others.length > 0 || (level === null && name !== 'default'))
    return refuseArguments(`Name one level: ${temporaryLevels.join(', ')} or default.`)
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(values.for) ?? []
  const seconds = Number(count) * secondsOf(unit)
  if (!(seconds >= 1 && seconds <= longestLevelSeconds))
    return refuseArguments(
      `--for is "${values.for}", but it must be a number with s, m or h, such as 10m, and at most 24h.`,
    )
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
