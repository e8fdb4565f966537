/** Clients that need a hand: secrets that end, requests that fail, flows of old times. */
import { attention as limits } from '#lib/config/limits.ts'
import { type LegacySwitch, legacySwitches } from '#lib/protocol/registration/client.ts'
import { dayNumber, secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { pageSegment } from '../page-segment.ts'
import { busiestClients } from './busiest-clients.ts'
import type { Concern } from './concern.ts'

const digits = new Intl.NumberFormat('en')

type ClientPorts = Pick<AdminPorts, 'adminLists' | 'rollUps' | 'clients'>

export async function clientConcerns(ports: ClientPorts, now: Date): Promise<readonly Concern[]> {
  const found = await Promise.all([
    failingClients(ports, now),
    endingSecrets(ports, now),
    ...legacySwitches.map(name => legacyClients(ports, name)),
  ])
  return found.flat()
}

async function endingSecrets({ adminLists }: ClientPorts, now: Date): Promise<readonly Concern[]> {
  const secrets = await adminLists.expiringSecrets(now, secondsAfter(now, limits.secretSeconds), limits.most)
  return secrets.map(({ owner, id, name, expiresAt }) => {
    const isOver = expiresAt <= now
    const what = name === null ? `A secret of ${id}` : `The secret “${name}” of ${id}`
    const path = `/admin/${owner}s/${encodeURIComponent(id)}`
    const href = owner === 'client' ? `${path}/secrets` : path
    return {
      severity: isOver ? ('bad' as const) : ('warn' as const),
      sentence: isOver ? `${what} has ended.` : `${what} ends ${inDays(expiresAt, now)}.`,
      links: [{ text: 'Rotate it', href }],
    }
  })
}

function inDays(moment: Date, now: Date): string {
  const days = dayNumber(moment) - dayNumber(now)
  if (days === 0) return 'today'
  return `${days === 1 ? 'tomorrow' : `in ${days} days`}, on ${moment.toISOString().slice(0, 10)}`
}

/** More than a fifth of a client's requests refused since yesterday, and not just one or two. */
async function failingClients(ports: ClientPorts, now: Date): Promise<readonly Concern[]> {
  const today = dayNumber(now)
  const days = { first: today - 1, last: today }
  const refused = await busiestClients(ports, days, 'refusals', limits.refusedLookedAt)
  return refused
    .filter(
      ({ tokens, refusals }) =>
        refusals >= limits.fewestRefusals && refusals > (tokens + refusals) * limits.failingShare,
    )
    .slice(0, limits.most)
    .map(({ clientId, name, tokens, refusals }) => ({
      severity: 'bad' as const,
      sentence: `${name ?? clientId} was refused ${digits.format(refusals)} of ${digits.format(tokens + refusals)} times since yesterday.`,
      links: [
        { text: 'See why', href: `/admin/events?client=${encodeURIComponent(clientId)}&outcome=failure` },
      ],
    }))
}

const switchWords: Readonly<Record<LegacySwitch, readonly [one: string, several: string]>> = {
  password_grant: [
    '1 client may ask people for their passwords itself',
    'clients may ask people for their passwords themselves',
  ],
  implicit_tokens: [
    '1 client gets access tokens in the address bar',
    'clients get access tokens in the address bar',
  ],
  plain_code_challenge: [
    '1 client may send its proof key in plain',
    'clients may send their proof key in plain',
  ],
  optional_pkce: ['1 client may leave out the proof key', 'clients may leave out the proof key'],
  reused_refresh_tokens: [
    '1 client without a secret uses a refresh token more than once',
    'clients without a secret use a refresh token more than once',
  ],
}

async function legacyClients({ adminLists }: ClientPorts, name: LegacySwitch): Promise<readonly Concern[]> {
  const clients = await adminLists.clientsWithSwitch(name, limits.most + 1)
  if (clients.length === 0) return []
  const shown = clients.slice(0, limits.most)
  const [one, several] = switchWords[name]
  const count = clients.length > shown.length ? `More than ${shown.length}` : String(shown.length)
  return [
    {
      severity: 'note',
      sentence: `${shown.length === 1 ? one : `${count} ${several}`}, which today’s standards advise against.`,
      links: shown.map(client => ({
        text: client.name,
        href: `/admin/clients/${pageSegment(client.clientId)}`,
      })),
    },
  ]
}
