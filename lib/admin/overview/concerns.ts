/** Everything that needs attention, the urgent first. */
import type { AdminPorts } from '../admin-ports.ts'
import { clientConcerns } from './client-concerns.ts'
import type { Concern } from './concern.ts'
import type { Health } from './health.ts'
import { houseConcerns } from './house-concerns.ts'

const severities = ['bad', 'warn', 'note'] as const

type ConcernPorts = Pick<AdminPorts, 'adminLists' | 'rollUps' | 'clients'>

export async function readConcerns(
  ports: ConcernPorts,
  health: Health,
  now: Date,
): Promise<readonly Concern[]> {
  const found = [...houseConcerns(health, now), ...(await clientConcerns(ports, now))]
  return severities.flatMap(severity => found.filter(it => it.severity === severity))
}
