/** Browser sessions by the digest of their cookie, interrupted sign-ins, and sign-ins with identity providers. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type {
  CurrentCredentials,
  ExternalSignIn,
  ExternalSignIns,
  FoundSession,
  PartialSignIn,
  PartialSignIns,
  Session,
  SessionClient,
  SessionConditions,
  SessionReplacement,
  Sessions,
} from '#lib/ports/sessions.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Session as SessionRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { type Bound, type Cells, locked, statement } from '../../sql/statement.ts'
import { table } from '../../sql/table.ts'
import { expired, type Store } from '../../store.ts'
import { consentFromRow, consentTable } from '../grants/consents.ts'
import { branded, changesOne, equals } from '../rows.ts'
import { endExpiredSessions, endSessions } from './ended-sessions.ts'
import { sessionFromRow, sessionToRow } from './session-rows.ts'
import { accountColumns, accountFromRow } from './user-rows.ts'
import { accountCondition } from './users.ts'

export const sessionStore: Store<Sessions> = {
  create: database => ({
    create: async (session, conditions) =>
      (await insertSession(database, { session, conditions, ending: {} })) === 'created',
    replace: (replaced, session, conditions) => {
      const ending = { replaced: [statements.deleteSession, [replaced]] } as const
      return insertSession(database, { session, conditions, ending })
    },
    find: async (digest, now, clientId) => {
      // The empty ID matches no client
      const cells = await database.$first(statements.sessionByDigest, [digest, clientId ?? '', now])
      const found = cells && foundSession(cells, now)
      if (found === null || clientId !== undefined) return found
      const { session, account } = found
      return { session, account }
    },
    end: async ({ digest, sessionId }, now, cause = 'signed_out') => {
      const which = { digest, sessionId: sessionId ?? undefined }
      const ended = await database.$transaction(tables => endSessions(tables, which, cause, now))
      return ended.sessions.length > 0
    },
    allOf: async (subject, now) => {
      const where = { subject: equals(subject), expiresAt: { gt: now } }
      const rows = await database.session.findMany({ where, orderBy: { lastSeenAt: 'desc' } })
      return rows.filter(row => isSessionAlive(row, now)).map(sessionFromRow)
    },
    rename: async (subject, name) => {
      await database.session.updateMany({ where: { subject: equals(subject) }, data: { name } })
    },
    clientsOf: async sessionIds => {
      const where = { sessionId: { in: sessionIds.map(id => equals(id).equals) } }
      const rows = await database.sessionClient.findMany({ where, orderBy: { lastAt: 'desc' } })
      return rows.map(branded<SessionClient>)
    },
  }),
  purge: [
    {
      ...expired('sessions', 'Session'),
      remove: (database, step) =>
        database.$transaction(tables => endExpiredSessions(tables, database.dialect, step)),
    },
  ],
}

const sessionTable = table<SessionRow>('Session', {
  authenticatedAt: 'time',
  isPersistent: 'boolean',
  createdAt: 'time',
  lastSeenAt: 'time',
  expiresAt: 'time',
})

const statements = {
  /** Finds a session with its account, and the consent for a client. $1 digest, $2 client ID, $3 now */
  sessionByDigest: statement(
    `SELECT ${sessionTable.of('s')}, ${accountColumns.of('u')}, ${consentTable.of('c')}
     FROM "Session" s
     LEFT JOIN "User" u ON u."subject" = s."subject"
     LEFT JOIN "Consent" c ON c."subject" = s."subject" AND c."clientId" = $2
       AND (c."expiresAt" IS NULL OR c."expiresAt" > $3)
     WHERE s."digest" = $1`,
  ),

  insertSession: statement(sessionTable.insert),

  /** Deletes a session. Succeeds for exactly one caller. $1 digest */
  deleteSession: statement(`DELETE FROM "Session" WHERE "digest" = $1 RETURNING 1`),

  /** $1 scheme */
  providerIsEnabled: statement(
    `SELECT 1 FROM "IdentityProvider" WHERE "scheme" = $1 AND "enabled" = true ${locked}`,
  ),

  /** $1 scheme, $2 issuer, $3 subject at the provider, $4 subject */
  isLinked: statement(
    `SELECT 1 FROM "ExternalLogin"
     WHERE "scheme" = $1 AND "issuer" = $2 AND "externalSubject" = $3 AND "subject" = $4 ${locked}`,
    4,
  ),

  /** $1 ID, $2 subject */
  hasPasskey: statement(`SELECT 1 FROM "Passkey" WHERE "id" = $1 AND "subject" = $2 ${locked}`, 2),

  /** $1 subject */
  hasSomeApp: statement(`SELECT 1 FROM "AuthenticatorApp" WHERE "subject" = $1 ${locked}`),

  /** $1 subject, $2 sealed secret */
  hasApp: statement(
    `SELECT 1 FROM "AuthenticatorApp" WHERE "subject" = $1 AND "sealedSecret" = $2 ${locked}`,
    2,
  ),

  /** $1 subject, $2 digest */
  hasRecoveryCode: statement(
    `SELECT 1 FROM "RecoveryCode" WHERE "subject" = $1 AND "digest" = $2 ${locked}`,
    2,
  ),

  /** $1 digest, $2 subject */
  trustsBrowser: statement(
    `SELECT 1 FROM "TrustedBrowser" WHERE "digest" = $1 AND "subject" = $2 ${locked}`,
    2,
  ),
}

type NewSession = {
  readonly session: Session
  readonly conditions: SessionConditions | undefined
  /** The session that ends. */
  readonly ending: { readonly replaced?: Bound }
}

async function insertSession(
  database: Database,
  { session, conditions: { account: asRead, ...credentials } = {}, ending }: NewSession,
): Promise<SessionReplacement> {
  const { subject, idp } = session
  const account = asRead && (await accountCondition(database, subject, asRead))
  if (account === null) return 'refused'
  const failed = await database.$change({
    conditions: {
      account: account ?? null,
      provider: idp === localProvider ? null : [statements.providerIsEnabled, [idp]],
      ...credentialConditions(subject, credentials),
      // Last: the removal of a passkey locks it before the sessions
      ...ending,
    },
    writes: [[statements.insertSession, sessionTable.values(sessionToRow(session))]],
  })
  if (failed === null) return 'created'
  return failed === 'replaced' ? 'already_ended' : 'refused'
}

function credentialConditions(
  subject: SubjectId,
  { passkeys = [], link, app, recoveryCode, trustedBrowser }: CurrentCredentials,
): Record<string, Bound | null> {
  const linked: Bound | null =
    link === undefined ? null : [statements.isLinked, [link.scheme, link.issuer, link.subject, subject]]
  const present = passkeys.map((id): [string, Bound] => [
    `passkey ${id}`,
    [statements.hasPasskey, [id, subject]],
  ])
  const usesApp = recoveryCode !== undefined || trustedBrowser !== undefined
  const anyApp: Bound | null = usesApp ? [statements.hasSomeApp, [subject]] : null
  // The removal of an app locks it before the codes and the trust
  return {
    linked,
    ...Object.fromEntries(present),
    app: app === undefined ? anyApp : [statements.hasApp, [subject, app]],
    recoveryCode: recoveryCode === undefined ? null : [statements.hasRecoveryCode, [subject, recoveryCode]],
    trust: trustedBrowser === undefined ? null : [statements.trustsBrowser, [trustedBrowser, subject]],
  }
}

/** Parses the cells of a session; `null` if it has ended. */
function foundSession(cells: Cells, now: Date): Required<FoundSession> | null {
  const session = sessionTable.read(cells)
  if (session === null || !isSessionAlive(session, now)) return null
  const account = accountColumns.read(cells, sessionTable.width)
  const consent = consentTable.read(cells, sessionTable.width + accountColumns.width)
  return {
    session: sessionFromRow(session),
    account: account && accountFromRow(account),
    consent: consent && consentFromRow(consent),
  }
}

/** SE-05: whether the session has reached neither its absolute expiry, which no use extends, nor its idle timeout. */
export function isSessionAlive(row: SessionRow, now: Date): boolean {
  const idleSeconds = row.isPersistent ? lifetimeSeconds.rememberedSessionIdle : lifetimeSeconds.sessionIdle
  return row.expiresAt > now && row.lastSeenAt > secondsAfter(now, -idleSeconds)
}

export const partialSignInStore: Store<PartialSignIns> = {
  create: database => ({
    create: async signIn => {
      await database.partialSignIn.create({ data: signIn })
    },
    find: async (digest, browser, now) => {
      const where = { digest: equals(digest), browser: equals(browser), expiresAt: { gt: now } }
      const row = await database.partialSignIn.findFirst({ where })
      return row && branded<PartialSignIn>(row)
    },
    take: digest => changesOne(database.partialSignIn.deleteMany({ where: { digest: equals(digest) } })),
  }),
  purge: [expired('sign_ins', 'PartialSignIn')],
}

/** Replaces the sealed code verifier of a row that was used, so that nothing can be redeemed with it. */
const used = 'used'

export const externalSignInStore: Store<ExternalSignIns> = {
  create: database => ({
    create: async signIn => {
      await database.externalSignIn.create({ data: signIn })
    },
    take: async (state, browser, now) => {
      const unused = { sealedCodeVerifier: { not: used } }
      const where = { state: equals(state), browser: equals(browser), expiresAt: { gt: now }, ...unused }
      const row = await database.externalSignIn.findFirst({ where })
      if (row === null) return null
      const { count } = await database.externalSignIn.updateMany({
        where,
        data: { sealedCodeVerifier: used },
      })
      return count === 1 ? branded<ExternalSignIn>(row) : null
    },
    findUsed: async (state, browser) => {
      const where = { state: equals(state), browser: equals(browser) }
      const row = await database.externalSignIn.findFirst({ where })
      return row && branded<ExternalSignIn>(row)
    },
  }),
  purge: [expired('sign_ins', 'ExternalSignIn')],
}
