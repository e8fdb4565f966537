/** The demo has an owner whose password everybody knows; it exists on loopback only, and goes with the demo's people. */
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { demoUsers } from '../demo-users.ts'
import type { LoadedConfiguration } from '../load-configuration.ts'
import { appointSubject, type OperatorPorts } from './operator.ts'
import { peopleWhoOwn } from './owners.ts'

/** Only while there is no owner: whoever took the demo over keeps it. */
export async function seedDemoOwner(
  ports: OperatorPorts,
  { source }: Pick<LoadedConfiguration, 'source'>,
): Promise<void> {
  const subject = demoUsers[0]?.sub
  if (source !== 'demo' || subject === undefined || (await peopleWhoOwn(ports)).length > 0) return
  await appointSubject(ports, { subject: subjectIdSchema.parse(subject), role: 'owner' }, 'start')
}

/** The demo person who is an owner now; `null` when they are not any more. */
export async function demoOwner(
  ports: Pick<OperatorPorts, 'administrators' | 'clients'>,
  { source }: Pick<LoadedConfiguration, 'source'>,
): Promise<{ readonly username: string; readonly password: string } | null> {
  const [person] = demoUsers
  if (source !== 'demo' || person?.password === undefined) return null
  const owners = await peopleWhoOwn(ports)
  return owners.some(subject => subject === person.sub) ? { ...person, password: person.password } : null
}
