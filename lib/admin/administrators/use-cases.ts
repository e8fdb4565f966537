/** Everything an owner does to administrators. */
import type { UseCase } from '../use-case.ts'
import { addClient } from './add-client.ts'
import { removeAdministrator, setRole } from './change-administrators.ts'
import { inviteAdministrator, withdrawInvitation } from './invite.ts'
import { listAdministrators } from './read-administrators.ts'

export const administratorUseCases: readonly UseCase[] = [
  listAdministrators,
  inviteAdministrator,
  withdrawInvitation,
  setRole,
  addClient,
  removeAdministrator,
]
