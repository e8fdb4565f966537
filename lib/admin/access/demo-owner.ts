/** The demo's owner has a public password; the account exists only on loopback, and is removed with the demo users. */
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { demoUsers } from '../configuration/demo.ts'
import type { LoadedConfiguration } from '../configuration/load-configuration.ts'
import { appointSubject, type OperatorPorts } from './operator.ts'
import { peopleWhoOwn } from './owners.ts'

/** Only while there is no owner: an existing one is kept. */
export async function seedDemoOwner(
  ports: OperatorPorts,
  { source }: Pick<LoadedConfiguration, 'source'>,
): Promise<void> {
  const subject = demoUsers[0]?.sub
  if (source !== 'demo' || subject === undefined || (await peopleWhoOwn(ports)).length > 0) return
  await appointSubject(ports, { subject: subjectIdSchema.parse(subject), role: 'owner' }, 'start')
}

/** The demo user if it is still an owner, otherwise `null`. */
export async function demoOwner(
  ports: Pick<OperatorPorts, 'administrators' | 'clients'>,
  { source }: Pick<LoadedConfiguration, 'source'>,
): Promise<{ readonly username: string; readonly password: string } | null> {
  const [person] = demoUsers
  if (source !== 'demo' || person?.password === undefined) return null
  const owners = await peopleWhoOwn(ports)
  return owners.some(subject => subject === person.sub) ? { ...person, password: person.password } : null
}
