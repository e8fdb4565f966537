/** AD-06: a client may be an owner, but somebody who can sign in must be one, too. */
import { clientIdSchema, type SubjectId } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'

type OwnerPorts = Pick<AdminPorts, 'administrators' | 'clients'>

/** The owners who are people, without the one who is about to go. */
export async function peopleWhoOwn(ports: OwnerPorts, without?: SubjectId): Promise<readonly SubjectId[]> {
  const owners = (await ports.administrators.all()).filter(({ role }) => role === 'owner')
  const people: SubjectId[] = []
  for (const { subject } of owners)
    if (subject !== without && !(await isClient(ports, subject))) people.push(subject)
  return people
}

/** No client and no person ever share an id: the store refuses it. */
export async function isClient({ clients }: Pick<AdminPorts, 'clients'>, subject: string): Promise<boolean> {
  const clientId = clientIdSchema.safeParse(subject)
  return clientId.success && (await clients.find(clientId.data)) !== null
}
