/** Everything an admin does to what people and apps hold. */
import type { UseCase } from '../use-case.ts'
import {
  endSession,
  endSessionsOfUser,
  removeConsent,
  revokeClient,
  revokeEverything,
  revokeGrant,
} from './end-grants.ts'

export const grantUseCases: readonly UseCase[] = [
  endSession,
  endSessionsOfUser,
  revokeGrant,
  removeConsent,
  revokeClient,
  revokeEverything,
]
