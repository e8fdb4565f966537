/**
 * Alerts about clients that send no PKCE although their policy requires it. Their sign-ins fail, and users are not shown the cause.
 */
import { attention as limits } from '#lib/config/limits.ts'
import { type Reason, reasonRow } from '#lib/errors/reasons.ts'
import { findRegistration } from '#lib/ports/clients.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { PkcePolicy } from '#lib/protocol/vocabulary.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { clientPath, requestTracePath } from '../page-paths.ts'
import type { Alert } from './alerts.ts'

type PkcePorts = Pick<AdminPorts, 'clients' | 'eventLog'>

type Refusal = {
  readonly reason: Reason
  /** The policies of the clients that an alert can be about. */
  readonly policies: readonly PkcePolicy[]
  readonly fault: string
}

const refusals: readonly Refusal[] = [
  {
    reason: 'code_challenge_missing',
    policies: ['required-s256', 'required'],
    fault: 'sends no code_challenge',
  },
  {
    reason: 'code_challenge_and_nonce_missing',
    policies: ['s256-or-nonce'],
    fault: 'sends neither code_challenge nor a nonce with openid',
  },
]

/**
 * Alerts about clients that were refused in the last 24 hours, had no success after that, and would be refused again; at most
 * `limits.most` for each reason.
 */
export async function alertsOfMissingPkce(ports: PkcePorts, now: Date): Promise<readonly Alert[]> {
  const alerts = await Promise.all(refusals.map(refusal => alertsOf(ports, refusal, now)))
  return alerts.flat()
}

async function alertsOf(ports: PkcePorts, refusal: Refusal, now: Date): Promise<readonly Alert[]> {
  const from = secondsAfter(now, -limits.withoutPkceSeconds)
  const filter = { reason: refusal.reason, outcome: 'failure', from } as const
  const events = await ports.eventLog.list(filter, null, limits.refusedLookedAt)
  const newest = events.filter(
    ({ clientId }, index) => events.findIndex(event => event.clientId === clientId) === index,
  )
  const alerts = await Promise.all(newest.map(event => alertOf(ports, refusal, event)))
  return alerts.filter(alert => alert !== null).slice(0, limits.most)
}

async function alertOf(ports: PkcePorts, refusal: Refusal, refused: StoredEvent): Promise<Alert | null> {
  const { clientId, requestId, time } = refused
  const client = (await findRegistration(ports, clientId ?? ''))?.client
  if (client === undefined || !client.enabled || !refusal.policies.includes(client.pkce)) return null
  // After a later success the client works: it was corrected, or a stranger sent the refused request in its name
  const answered = { clientId: client.clientId, name: 'authorize_answered', outcome: 'success' } as const
  const later = await ports.eventLog.newer({ ...answered, from: time }, null, 1)
  if (later.length > 0) return null
  return {
    severity: 'warn',
    sentence: `${client.clientName} ${refusal.fault} and was refused. ${reasonRow(refusal.reason).remedy}`,
    links: [
      { text: 'Settings', href: clientPath(client.clientId) },
      { text: 'View request', href: requestTracePath(requestId) },
    ],
  }
}
