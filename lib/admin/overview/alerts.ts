/** Alerts about the installation and its clients, the most urgent first. */
import { attention as limits } from '#lib/config/limits.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import {
  type SettingName,
  settingNames,
  settingTexts,
} from '#lib/protocol/registration/review/client-review.ts'
import { shortPasswordRule } from '#lib/protocol/registration/review/review.ts'
import { dayNumber, secondsAfter, startOfDay } from '#lib/protocol/time.ts'
import { type SigningAlgorithm, signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { countedText } from '../counted-text.ts'
import { clientPath, scopePath } from '../page-paths.ts'
import { busiestClients, type RankedClient } from './counts.ts'
import { addressesText, readFailureAddresses } from './failure-addresses.ts'
import type { Health } from './health.ts'
import { alertsOfMissingPkce } from './pkce-alerts.ts'

const severities = ['bad', 'warn', 'note'] as const

export type Alert = {
  /** The urgency. `bad`: act now. `warn`: act soon. `note`: review. */
  readonly severity: (typeof severities)[number]
  readonly sentence: string
  /** Links to the pages that the sentence is about. */
  readonly links: readonly { readonly text: string; readonly href: string }[]
}

type AlertPorts = Pick<
  AdminPorts,
  'adminLists' | 'aggregates' | 'clients' | 'eventLog' | 'policies' | 'settings' | 'takenBackChanges'
>

export async function readAlerts(ports: AlertPorts, health: Health, now: Date): Promise<readonly Alert[]> {
  const ofClients = await Promise.all([
    failingClients(ports, now),
    alertsOfMissingPkce(ports, now),
    unreadableKeys(ports, health, now),
    endingSecrets(ports, now),
    ...settingNames.map(name => clientsWithSetting(ports, name)),
    shortPasswords(ports),
    takenBackChanges(ports, now),
  ])
  const found = [
    ...keyAlerts(health, now),
    ...auditAlerts(health),
    ...purgeAlerts(health),
    ...diskAlerts(health),
    ...mailAlerts(health),
    ...ofClients.flat(),
  ]
  return severities.flatMap(severity => found.filter(alert => alert.severity === severity))
}

const keysLink = { text: 'View keys', href: '/admin/keys' }
const healthLink = { text: 'View status', href: '/admin/status' }

function keyAlerts({ keys, rotations }: Health, now: Date): readonly Alert[] {
  const active = new Set(keys.filter(key => keyState(key, now) === 'active').map(key => key.algorithm))
  // RS256 always needs a key. Nothing ends the last key of another algorithm while a client uses the algorithm
  const isNeeded = (name: SigningAlgorithm) =>
    name === 'RS256' || keys.some(key => key.algorithm === name && key.retiresAt === null)
  const inactive =
    keys.length === 0 ? [] : signingAlgorithms.filter(name => isNeeded(name) && !active.has(name))
  const isLate = (time: string | null) =>
    time !== null && now.getTime() - new Date(time).getTime() > limits.keyLateSeconds * 1000
  const missing = [
    ...(keys.length === 0 ? ['No signing key: no token can be issued.'] : []),
    ...inactive.map(name => `No active ${name} key: clients that use ${name} get no tokens.`),
  ].map(sentence => ({ severity: 'bad', sentence, links: [keysLink] }) as const)
  const late = rotations
    .filter(({ published_at }) => isLate(published_at))
    .map(({ algorithm, published_at }) => {
      const sentence = `The next ${algorithm} key is overdue: it should have been published on ${published_at?.slice(0, 10)}.`
      return { severity: 'warn', sentence, links: [keysLink] } as const
    })
  return [...missing, ...late]
}

/**
 * Alerts about published keys that are not RSA, if a client gets JWTs in the format of IdentityServer3: the API middleware of
 * IdentityServer3 reads the key set when the API starts, and fails at such a key.
 */
async function unreadableKeys(
  { clients }: AlertPorts,
  { keys }: Health,
  now: Date,
): Promise<readonly Alert[]> {
  const published = keys.filter(key => key.publicJwk.kty !== 'RSA' && keyState(key, now) !== 'expired')
  const names = signingAlgorithms.filter(name => published.some(({ algorithm }) => algorithm === name))
  if (names.length === 0) return []
  const settings = await clients.signatureSettings()
  const isOld = settings.some(
    ({ accessTokenFormat, accessTokenType }) =>
      accessTokenFormat === 'identityserver3' && accessTokenType === 'jwt',
  )
  const sentence = `The key set has ${names.join(' and ')} keys. APIs with the middleware of IdentityServer3 fail at their next start, because it only reads RSA keys. If you still have such APIs, set LATCHKEY_ACCESS_TOKEN_FORMAT=identityserver3, and revoke these keys.`
  return isOld ? [{ severity: 'warn', sentence, links: [keysLink] }] : []
}

const auditProblems = {
  changed: (seq: number) => `Change ${seq} was edited or moved in the database.`,
  missing: (seq: number) => `Change ${seq} is missing from the database.`,
  end: (seq: number) => `The newest changes after number ${seq} are missing from the database.`,
  noted: (seq: number) => `Change ${seq} does not match the recorded hash.`,
} as const

function auditAlerts({ audit }: Health): readonly Alert[] {
  const links = [{ text: 'View changes', href: '/admin/changes' }]
  if (audit.check?.found.kind === 'broken') {
    const { problem, seq } = audit.check.found
    return [{ severity: 'bad', sentence: auditProblems[problem](seq), links }]
  }
  const sentence = 'The audit log was not verified for more than two days. See the server log.'
  return audit.isOverdue ? [{ severity: 'warn', sentence, links }] : []
}

function purgeAlerts({ purge }: Health): readonly Alert[] {
  if (!purge.isOverdue) return []
  const last =
    purge.at === null
      ? 'it never ran'
      : `it last ran at ${purge.at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const sentence = `Housekeeping is overdue: ${last}, and should run every minute. See the server log.`
  return [{ severity: 'warn', sentence, links: [healthLink] }]
}

function diskAlerts({ database: { freeBytes } }: Health): readonly Alert[] {
  if (freeBytes === null || freeBytes >= limits.freeBytes) return []
  const sentence = `The disk of the database has ${Math.round(freeBytes / 1_048_576)} MB left. Sign-ins fail when it is full.`
  return [{ severity: 'bad', sentence, links: [healthLink] }]
}

function mailAlerts({ mail: { retried, givenUp } }: Health): readonly Alert[] {
  const links = [{ text: 'View mail', href: '/admin/mail' }]
  const counts = [
    [givenUp, 'message was', 'messages were', 'given up since yesterday'],
    [retried, 'message waits', 'messages wait', 'for another attempt'],
  ] as const
  return counts
    .filter(([count]) => count > 0)
    .map(([count, one, several, rest]) => ({
      severity: 'warn',
      sentence: `${countedText({ count, isMore: false }, one, several)} ${rest}.`,
      links,
    }))
}

/** Users who reported changes of their account: an attacker may have known their passwords. */
async function takenBackChanges(
  { takenBackChanges: changes }: AlertPorts,
  now: Date,
): Promise<readonly Alert[]> {
  const count = await changes.countSince(secondsAfter(now, -limits.takenBackSeconds))
  if (count === 0) return []
  const users = countedText({ count, isMore: false }, 'user', 'users')
  const sentence = `${users} reported a change to the account with “This wasn’t me” in the last week. It was undone; find out how it was made.`
  const links = [{ text: 'View reports', href: '/admin/events?name=change_taken_back' }]
  return [{ severity: 'warn', sentence, links }]
}

async function endingSecrets({ adminLists }: AlertPorts, now: Date): Promise<readonly Alert[]> {
  const secrets = await adminLists.expiringSecrets(now, secondsAfter(now, limits.secretSeconds), limits.most)
  return secrets.map(({ owner, id, name, expiresAt, successor }) => {
    const isOver = expiresAt <= now
    const secret = name === null ? `A secret of ${id}` : `The secret “${name}” of ${id}`
    const end = isOver ? 'has expired' : `expires ${inDays(expiresAt, now)}`
    const href = owner === 'client' ? clientPath(id, 'secrets') : scopePath(id, 'secrets')
    return {
      severity: isOver ? 'bad' : 'warn',
      ...(successor === null
        ? { sentence: `${secret} ${end}.`, links: [{ text: 'Rotate it', href }] }
        : {
            sentence: `${secret} ${end}. ${reminder(successor)}`,
            links: [{ text: 'View secrets', href }],
          }),
    }
  })
}

function reminder({ name, isUsed }: { readonly name: string; readonly isUsed: boolean }): string {
  return isUsed
    ? `It was used after “${name}”, which replaces it, was created: give every app that uses it the new one.`
    : `“${name}”, which replaces it, was never used: give it to the app.`
}

function inDays(moment: Date, now: Date): string {
  const days = dayNumber(moment) - dayNumber(now)
  if (days === 0) return 'today'
  return `${days === 1 ? 'tomorrow' : `in ${days} days`}, on ${moment.toISOString().slice(0, 10)}`
}

const digits = new Intl.NumberFormat('en')

/**
 * Alerts about at most `limits.most` clients with at least `limits.fewestRefusals` refusals since yesterday, which are more than
 * `limits.failingShare` of their requests. Only the clients with the most refusals are checked.
 */
async function failingClients(ports: AlertPorts, now: Date): Promise<readonly Alert[]> {
  const today = dayNumber(now)
  const days = { first: today - 1, last: today }
  const refused = await busiestClients(ports, days, { by: 'refusals', limit: limits.refusedLookedAt })
  const failing = refused
    .filter(
      ({ tokens, refusals }) =>
        refusals >= limits.fewestRefusals && refusals > (tokens + refusals) * limits.failingShare,
    )
    .slice(0, limits.most)
  return Promise.all(failing.map(client => failingClient(ports, client, startOfDay(days.first))))
}

async function failingClient(
  ports: AlertPorts,
  { clientId, name, tokens, refusals }: RankedClient,
  from: Date,
): Promise<Alert> {
  const found = await readFailureAddresses(ports, { clientId, from })
  const times = `${digits.format(refusals)} of ${digits.format(tokens + refusals)} times since yesterday`
  const addresses = addressesText(found)
  return {
    // Refusals from one address may come from a stranger: anyone can send requests in the name of a client
    severity: found.addresses === 1 ? 'warn' : 'bad',
    sentence: `${name ?? clientId} was refused ${times}${addresses === null ? '' : `, ${addresses}`}.`,
    links: [
      {
        text: 'View failures',
        href: `/admin/events?client=${encodeURIComponent(clientId)}&outcome=failure`,
      },
    ],
  }
}

/** Names the first clients with a setting that the security review advises against. */
async function clientsWithSetting(
  { adminLists }: AlertPorts,
  setting: SettingName,
): Promise<readonly Alert[]> {
  const condition = setting === 'administration' ? { scope: scopeNameSchema.parse(adminScope) } : { setting }
  const clients = await adminLists.clientsWith(condition, limits.most + 1)
  if (clients.length === 0) return []
  const shown = clients.slice(0, limits.most)
  const count = clients.length > shown.length ? `More than ${shown.length}` : String(shown.length)
  const { predicate, fix } = settingTexts[setting]
  const [one, several] = predicate
  return [
    {
      severity: 'note',
      sentence: `${shown.length === 1 ? `1 client ${one}` : `${count} clients ${several}`}. ${fix}`,
      links: shown.map(client => ({ text: client.name, href: clientPath(client.clientId) })),
    },
  ]
}

/** An installation that was upgraded keeps the shorter passwords that it allowed. */
async function shortPasswords({ policies, settings }: AlertPorts): Promise<readonly Alert[]> {
  const { problem, fix, isBroken } = shortPasswordRule
  if (!settings.localLogin || !isBroken(await policies.current())) return []
  const sentence = `${problem} ${fix}`
  return [{ severity: 'note', sentence, links: [{ text: 'View policies', href: '/admin/policies' }] }]
}
