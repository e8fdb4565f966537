/** The use cases for sessions, grants and consents. */
import type { UseCase } from '../use-case.ts'
import {
  endSession,
  endSessionsOfUser,
  removeConsent,
  revokeClient,
  revokeEverything,
  revokeGrant,
} from './end-grants.ts'
import { listConsents, listGrants, listSessions } from './read-grants.ts'

export const grantUseCases: readonly UseCase[] = [
  listSessions,
  listGrants,
  listConsents,
  endSession,
  endSessionsOfUser,
  revokeGrant,
  removeConsent,
  revokeClient,
  revokeEverything,
]
