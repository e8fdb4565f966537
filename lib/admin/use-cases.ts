/** All use cases of the dashboard and of the admin API. */
import { administratorUseCases } from './administrators/use-cases.ts'
import { changeUseCases } from './changes/read-changes.ts'
import { clientUseCases } from './clients/write-clients.ts'
import { configurationUseCases } from './configuration/apply-document.ts'
import { eventUseCases } from './events/use-cases.ts'
import { grantUseCases } from './grants/revoke-access.ts'
import { keyUseCases } from './keys/use-cases.ts'
import { mailUseCases } from './mail/use-cases.ts'
import { policyUseCases } from './policies/policies.ts'
import { providerUseCases } from './providers/write-providers.ts'
import { scopeUseCases } from './scopes/write-scopes.ts'
import { checkUseCases } from './status/checks.ts'
import { statusUseCases } from './status/read-status.ts'
import { runSelfTest } from './status/self-test.ts'
import type { UseCase } from './use-case.ts'
import { userInvitationUseCases } from './user-invitations/write-invitations.ts'
import { factorUseCases } from './users/factors.ts'
import { unlinkIdentity } from './users/unlink.ts'
import { userUseCases } from './users/write-users.ts'

export const useCases: readonly UseCase[] = [
  ...clientUseCases,
  ...scopeUseCases,
  ...providerUseCases,
  ...policyUseCases,
  ...userUseCases,
  ...factorUseCases,
  unlinkIdentity,
  ...userInvitationUseCases,
  ...grantUseCases,
  ...keyUseCases,
  ...administratorUseCases,
  ...configurationUseCases,
  ...mailUseCases,
  ...eventUseCases,
  ...changeUseCases,
  ...statusUseCases,
  ...checkUseCases,
  runSelfTest,
]

const byName: ReadonlyMap<string, UseCase> = new Map(useCases.map(useCase => [useCase.name, useCase]))

/** Finds a use case by its name, such as `clients.update`. Returns `null` if there is none. */
export function findUseCase(name: string): UseCase | null {
  return byName.get(name) ?? null
}
