/** What somebody should look at: secrets that end, clients that fail, switches of old times. */
import { attention as limits } from '#lib/config/limits.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'

export type Concern = {
  readonly severity: 'bad' | 'warn'
  readonly sentence: string
  readonly href: string
  readonly action: string
}

type AttentionPorts = Pick<AdminPorts, 'adminLists' | 'eventLog' | 'signingKeys'>

export async function readConcerns(ports: AttentionPorts, now: Date): Promise<readonly Concern[]> {
  const found = await Promise.all([
    endingSecrets(ports, now),
    failingClients(ports, now),
    legacyClients(ports, now),
    endingKeys(ports, now),
  ])
  return found.flat()
}

async function endingSecrets({ adminLists }: AttentionPorts, now: Date): Promise<readonly Concern[]> {
  const until = secondsAfter(now, limits.secretSeconds)
  const secrets = await adminLists.expiringSecrets(now, until, limits.most)
  return secrets.map(({ owner, id, expiresAt }) => {
    const isOver = expiresAt <= now
    const path = `/admin/${owner}s/${encodeURIComponent(id)}`
    return {
      severity: isOver ? ('bad' as const) : ('warn' as const),
      sentence: isOver
        ? `A secret of ${id} has ended.`
        : `A secret of ${id} ends on ${expiresAt.toISOString().slice(0, 10)}.`,
      href: owner === 'client' ? `${path}/secrets` : path,
      action: 'Rotate it',
    }
  })
}

/** More than a fifth of a client's requests refused within a day, and not just one or two. */
async function failingClients({ eventLog }: AttentionPorts, now: Date): Promise<readonly Concern[]> {
  const counts = await eventLog.counts(['client_tokens', 'client_refusals'], secondsAfter(now, -86_400), now)
  const sums = new Map<string, { tokens: number; refusals: number }>()
  for (const { metric, label, count } of counts) {
    const sum = sums.get(label) ?? { tokens: 0, refusals: 0 }
    if (metric === 'client_tokens') sum.tokens += count
    else sum.refusals += count
    sums.set(label, sum)
  }
  return [...sums]
    .filter(
      ([, { tokens, refusals }]) =>
        refusals >= limits.fewestRefusals && refusals > (tokens + refusals) * limits.failingShare,
    )
    .slice(0, limits.most)
    .map(([label, { tokens, refusals }]) => ({
      severity: 'bad' as const,
      sentence: `${label} was refused ${refusals} of ${tokens + refusals} times in the last day.`,
      href: `/admin/events?client=${encodeURIComponent(label)}&outcome=failure`,
      action: 'See why',
    }))
}

async function legacyClients({ adminLists }: AttentionPorts, now: Date): Promise<readonly Concern[]> {
  const filter = { search: null, kind: 'legacy' as const, enabled: true }
  const { items } = await adminLists.clients(filter, { after: null, limit: limits.most }, now)
  return items.map(({ clientId, name }) => ({
    severity: 'warn' as const,
    sentence: `${name} may use flows that today’s standards advise against.`,
    href: `/admin/clients/${encodeURIComponent(clientId)}`,
    action: 'See its settings',
  }))
}

async function endingKeys({ signingKeys }: AttentionPorts, now: Date): Promise<readonly Concern[]> {
  const keys = await signingKeys.all()
  const isAlone = keys.every(({ activatesAt }) => activatesAt > now)
  if (!isAlone) return []
  return [
    { severity: 'bad', sentence: 'No signing key is active.', href: '/admin/keys', action: 'See the keys' },
  ]
}
