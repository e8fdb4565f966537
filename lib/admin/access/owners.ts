/** AD-06: a client can be an owner, but at least one owner must be able to sign in. */
import { clientIdSchema, type SubjectId } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'

/** The owners who are people. */
export async function peopleWhoOwn(
  ports: Pick<AdminPorts, 'administrators' | 'clients'>,
): Promise<readonly SubjectId[]> {
  const owners = (await ports.administrators.all()).filter(({ role }) => role === 'owner')
  const people: SubjectId[] = []
  for (const { subject } of owners) if (!(await isClient(ports, subject))) people.push(subject)
  return people
}

/** No client and no person ever share an id: the store refuses it. */
export async function isClient({ clients }: Pick<AdminPorts, 'clients'>, subject: string): Promise<boolean> {
  const clientId = clientIdSchema.safeParse(subject)
  return clientId.success && (await clients.find(clientId.data)) !== null
}
