import { passkeysContract } from './passkeys.contract.ts'
import { secondFactorsContract } from './second-factors.contract.ts'
/** The contracts of `lib/ports`, as far as a database implements them. Each database must pass all of them. */

import type { Host } from '../host.ts'
import { accountChangesContract } from './account-changes.contract.ts'
import { accountLinksContract } from './account-links.contract.ts'
import { adminEndingsContract } from './admin-endings.contract.ts'
import { adminSessionsContract } from './admin-sessions.contract.ts'
import { adminStoreContract } from './admin-store.contract.ts'
import { administrationContract } from './administration.contract.ts'
import { aggregatesContract } from './aggregates.contract.ts'
import { authorizationCodesContract } from './authorization-codes.contract.ts'
import { clientListsContract } from './client-lists.contract.ts'
import { configurationContract } from './configuration.contract.ts'
import { eventLogContract } from './event-log.contract.ts'
import { grantListsContract } from './grant-lists.contract.ts'
import { grantPreconditionsContract } from './grant-preconditions.contract.ts'
import { grantsContract } from './grants.contract.ts'
import { hostileValuesContract } from './hostile-values.contract.ts'
import { importedTokensContract } from './imported-tokens.contract.ts'
import { laterReleaseContract } from './later-release.contract.ts'
import { mailProofContract } from './mail-proofs.contract.ts'
import { outboxContract } from './outbox.contract.ts'
import { ownAccountContract } from './own-account.contract.ts'
import { plannedChangeContract } from './planned-changes.contract.ts'
import { policiesContract } from './policies.contract.ts'
import { purgeContract } from './purge.contract.ts'
import { rateLimiterContract } from './rate-limiter.contract.ts'
import { registrationContract } from './registration.contract.ts'
import { removedCredentialsContract } from './removed-credentials.contract.ts'
import { sessionEndsContract } from './session-ends.contract.ts'
import { signInStateContract } from './sign-in-state.contract.ts'
import { signingKeysContract } from './signing-keys.contract.ts'
import { switchingOffContract } from './switching-off.contract.ts'
import { takenBackRacesContract } from './taken-back-races.contract.ts'
import { tokensContract } from './tokens.contract.ts'
import { transactionsContract } from './transactions.contract.ts'
import { unlinkedIdentitiesContract } from './unlinked-identities.contract.ts'
import { usageMarksContract } from './usage-marks.contract.ts'
import { userInvitationsContract } from './user-invitations.contract.ts'
import { userListsContract } from './user-lists.contract.ts'
import { userReportsContract } from './user-reports.contract.ts'
import { usersContract } from './users.contract.ts'

export function everyContract(host: () => Host): void {
  authorizationCodesContract(host)
  grantsContract(host)
  grantPreconditionsContract(host)
  tokensContract(host)
  importedTokensContract(host)
  sessionEndsContract(host)
  signInStateContract(host)
  mailProofContract(host)
  plannedChangeContract(host)
  accountChangesContract(host)
  removedCredentialsContract(host)
  unlinkedIdentitiesContract(host)
  takenBackRacesContract(host)
  userInvitationsContract(host)
  passkeysContract(host)
  secondFactorsContract(host)
  rateLimiterContract(host)
  usersContract(host)
  ownAccountContract(host)
  registrationContract(host)
  accountLinksContract(host)
  configurationContract(host)
  policiesContract(host)
  switchingOffContract(host)
  signingKeysContract(host)
  hostileValuesContract(host)
  transactionsContract(host)
  purgeContract(host)
  outboxContract(host)
  userListsContract(host)
  userReportsContract(host)
  clientListsContract(host)
  grantListsContract(host)
  eventLogContract(host)
  aggregatesContract(host)
  usageMarksContract(host)
  adminStoreContract(host)
  adminEndingsContract(host)
  adminSessionsContract(host)
  administrationContract(host)
  laterReleaseContract(host)
}
