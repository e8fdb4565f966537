/**
 * Ends what must not continue after an earlier state of the database is restored. Codes and links that were used since
 * that state was stored appear unused, and grants and sessions that were ended since then appear valid.
 */
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { backups } from '#lib/config/limits.ts'
import type { Prisma } from '#prisma/generated/sqlite/client.ts'
import { openDatabase, type Tables } from './database.ts'
import { markOwnTokens } from './prisma/grants/revocation.ts'

/** Ends the rows of a table, and returns their number. */
type End = (tables: Tables, now: Date) => Promise<{ readonly count: number }>
type Treatment = 'stays' | { readonly always: End } | { readonly revoking: End }

/** The treatment of each table. A table that is missing here does not compile. */
const treatments: Readonly<Record<Prisma.ModelName, Treatment>> = {
  ConfigurationRevision: 'stays',
  Meta: 'stays',
  Client: 'stays',
  ClientSecret: 'stays',
  Scope: 'stays',
  ScopeSecret: 'stays',
  IdentityProvider: 'stays',
  SitePolicies: 'stays',
  User: 'stays',
  ExternalLogin: 'stays',
  UnlinkedIdentity: 'stays',
  Passkey: 'stays',
  AuthenticatorApp: 'stays',
  // Without them, users who lost their other factor could no longer sign in
  RecoveryCode: 'stays',
  TrustedBrowser: { revoking: ({ trustedBrowser }) => trustedBrowser.deleteMany({}) },
  SubjectPreference: 'stays',
  // A deletion that its user has canceled since then must not be carried out
  PlannedChange: { always: ({ plannedChange }) => plannedChange.deleteMany({}) },
  TakenBackChange: 'stays',
  UserInvitation: { always: ({ userInvitation }) => userInvitation.deleteMany({ where: { usedAt: null } }) },
  MailProof: { always: ({ mailProof }) => mailProof.deleteMany({}) },
  UsedId: 'stays',
  Grant: {
    revoking: ({ grant }, now) => grant.updateMany({ where: { revokedAt: null }, data: { revokedAt: now } }),
  },
  AuthorizationCode: { always: ({ authorizationCode }) => authorizationCode.deleteMany({}) },
  // A refresh token is refused with its grant, and then has a reason in the events
  RefreshToken: 'stays',
  ReferenceToken: { revoking: ({ referenceToken }) => referenceToken.deleteMany({}) },
  RevokedToken: {
    revoking: async (tables, now) => {
      await markOwnTokens(tables, null, now)
      return { count: 0 }
    },
  },
  Consent: 'stays',
  Session: { revoking: ({ session }) => session.deleteMany({}) },
  SessionClient: { revoking: ({ sessionClient }) => sessionClient.deleteMany({}) },
  PendingRequest: { always: ({ pendingRequest }) => pendingRequest.deleteMany({}) },
  ExternalSignIn: { always: ({ externalSignIn }) => externalSignIn.deleteMany({}) },
  PartialSignIn: { always: ({ partialSignIn }) => partialSignIn.deleteMany({}) },
  RateLimitCounter: 'stays',
  SigningKey: 'stays',
  Administrator: 'stays',
  AdminSession: { always: ({ adminSession }) => adminSession.deleteMany({}) },
  AdminInvitation: { always: ({ adminInvitation }) => adminInvitation.deleteMany({}) },
  AdminPageState: { always: ({ adminPageState }) => adminPageState.deleteMany({}) },
  AuditHead: 'stays',
  AuditRow: 'stays',
  Delivery: { always: ({ delivery }) => delivery.deleteMany({ where: { state: 'waiting' } }) },
  SearchTerm: 'stays',
  Event: 'stays',
  HourlyCount: 'stays',
  DailyCount: 'stays',
  ClientDay: 'stays',
  Visitor: 'stays',
}

type Restored = { readonly now: Date; readonly revokesGrants: boolean }

/**
 * Ends what must not continue, in one transaction: codes, one-time links and messages that wait; with `revokesGrants` also
 * grants, tokens and sessions. Returns the number of ended rows by table, without tables of which no row ended.
 */
export async function endRestoredState(
  location: DatabaseLocation,
  { now, revokesGrants }: Restored,
): Promise<Readonly<Record<string, number>>> {
  const database = openDatabase(location)
  try {
    return await database.$transaction(
      async tables => {
        const ended: Record<string, number> = {}
        for (const [name, treatment] of Object.entries(treatments)) {
          const end = endOf(treatment, revokesGrants)
          const { count } = (await end?.(tables, now)) ?? { count: 0 }
          if (count > 0) ended[name] = count
        }
        return ended
      },
      { timeout: backups.endStateMs },
    )
  } finally {
    await database.$disconnect()
  }
}

function endOf(treatment: Treatment, revokesGrants: boolean): End | null {
  if (treatment === 'stays') return null
  if ('always' in treatment) return treatment.always
  return revokesGrants ? treatment.revoking : null
}
