/** Grants: the stored authorizations of users. */
import { identityServer3SkewSeconds } from '#lib/config/limits.ts'
import type {
  FoundGrant,
  Grant,
  GrantOfToken,
  GrantOpening,
  GrantPreconditions,
  GrantSelection,
  Grants,
} from '#lib/ports/grants.ts'
import type { Account } from '#lib/ports/users.ts'
import { type GrantDetails, grantDetails, grantDetailsSchema } from '#lib/protocol/grant-details.ts'
import type { Grant as GrantRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { type Bound, type Cells, locked, statement } from '../../sql/statement.ts'
import { table } from '../../sql/table.ts'
import { expired, type Store } from '../../store.ts'
import { finishPending } from '../identity/pending-requests.ts'
import { accountColumns, accountCondition, accountFromRow } from '../identity/users.ts'
import { branded, equals, parseStringList } from '../rows.ts'
import { consentCondition } from './consents.ts'
import { endOfAcceptance } from './revocation.ts'

export const grantStore: Store<Grants> = {
  create: database => {
    return {
      open: (grant, preconditions = noPreconditions) =>
        openIfValid(database, { grant, preconditions }, [insertGrant(grant)]),
      find: async id => {
        const cells = await database.$first(statements.grantById, [id])
        return cells && foundGrant(cells, 0)
      },
      revoke: async (selection, now) => {
        const where = { ...selectedBy(selection), revokedAt: null, expiresAt: { gt: endOfAcceptance(now) } }
        const { count } = await database.grant.updateMany({ where, data: { revokedAt: now } })
        return count
      },
      liveOf: async (subject, now) => {
        const where = { subject: equals(subject), revokedAt: null, expiresAt: { gt: now } }
        const rows = await database.grant.findMany({ where, orderBy: { createdAt: 'desc' } })
        return rows.map(grantFromRow)
      },
    }
  },
  purge: [expired('grants', 'Grant', identityServer3SkewSeconds)],
}

/** NOTE: an undefined would drop its condition and select the grants of all users. */
function selectedBy(selection: GrantSelection) {
  if ('id' in selection) return { id: equals(selection.id) }
  if (selection.clientId === undefined) return { subject: equals(selection.subject) }
  return { subject: equals(selection.subject), clientId: equals(selection.clientId) }
}

const grantTable = table<GrantRow>('Grant', {
  authenticatedAt: 'time',
  isOffline: 'boolean',
  createdAt: 'time',
  expiresAt: 'time',
  revokedAt: 'time',
})

/** See `GrantOfToken`. */
const grantOfToken = grantTable.pick(
  'id',
  'clientId',
  'subject',
  'authenticatedAt',
  'expiresAt',
  'revokedAt',
  'details',
)

/** A grant with its user, read by `foundGrant`. */
export const grantAndUser = `${grantTable.of('g')}, ${accountColumns.of('u')}`
export const userOfGrant = 'LEFT JOIN "User" u ON u."subject" = g."subject"'

/** The same with fewer columns of the grant, read by `tokenGrant`. */
export const tokenGrantAndUser = `${grantOfToken.of('g')}, ${accountColumns.of('u')}`

const statements = {
  insertGrant: statement(grantTable.insert),

  /** $1 grant ID */
  grantById: statement(`SELECT ${grantAndUser} FROM "Grant" g ${userOfGrant} WHERE g."id" = $1`),

  /** $1 session ID, $2 subject, $3 now */
  sessionIsLive: statement(
    `SELECT 1 FROM "Session" WHERE "sessionId" = $1 AND "subject" = $2 AND "expiresAt" > $3 ${locked}`,
  ),
}

export function insertGrant(grant: Grant): Bound {
  return [statements.insertGrant, grantTable.values(grantToRow(grant))]
}

export function grantToRow(grant: Grant): GrantRow {
  return {
    id: grant.id,
    clientId: grant.clientId,
    subject: grant.subject,
    idp: grant.idp,
    amr: JSON.stringify(grant.amr),
    acr: grant.acr,
    authenticatedAt: grant.authenticatedAt,
    sessionId: grant.sessionId,
    details: JSON.stringify(grantDetails(grant)),
    isOffline: grant.isOffline,
    createdAt: grant.createdAt,
    expiresAt: grant.expiresAt,
    revokedAt: grant.revokedAt,
  }
}

export function grantFromRow({ details, ...row }: GrantRow): Grant {
  const granted = readDetails(details)
  return branded<Grant>({ ...row, ...granted, amr: parseStringList(row.amr) })
}

function readDetails(details: string): GrantDetails {
  return grantDetailsSchema.parse(JSON.parse(details))
}

/** From the cells of a grant and its user; `null` if an outer join found no grant. */
export function foundGrant(cells: Cells, start: number): FoundGrant | null {
  const grant = grantTable.read(cells, start)
  return grant && { ...grantFromRow(grant), account: accountFrom(cells, start + grantTable.width) }
}

/**
 * The same with only the columns that decide whether a token of the grant is valid. NOTE: few grants have claims of their sign-in,
 * so the details of the others are not parsed.
 */
export function tokenGrant(cells: Cells, start: number): GrantOfToken | null {
  const row = grantOfToken.read(cells, start)
  if (row === null) return null
  const { details, ...columns } = row
  const account = accountFrom(cells, start + grantOfToken.width)
  const grant = { ...branded<Omit<GrantOfToken, 'account' | 'claims'>>(columns), account }
  return details.includes('"claims":') ? { ...grant, claims: readDetails(details).claims } : grant
}

function accountFrom(cells: Cells, start: number): Account | null {
  const row = accountColumns.read(cells, start)
  return row && accountFromRow(row)
}

export const noPreconditions: GrantPreconditions = { consent: null, pending: null }

type NewGrant = { readonly grant: Grant; readonly preconditions: GrantPreconditions }

/**
 * Writes them if the session, the consent, the account and the pending request of the grant allow it, in one transaction
 * with these checks. A transaction that ends one of them either waits for this one or is seen by it.
 */
export async function openIfValid(
  database: Database,
  { grant, preconditions }: NewGrant,
  writes: readonly Bound[],
): Promise<GrantOpening> {
  const { account: check, consent, pending } = preconditions
  const { subject, sessionId, createdAt } = grant
  const account = check && (await accountCondition(database, subject, check))
  if (account === null) return 'revoked'
  const failed = await database.$change({
    conditions: {
      account: account ?? null,
      session: sessionId === null ? null : [statements.sessionIsLive, [sessionId, subject, createdAt]],
      consent: consent && consentCondition(consent, grant),
      pending: pending === null ? null : [finishPending, [pending, createdAt]],
    },
    writes,
  })
  if (failed === null) return 'opened'
  return failed === 'pending' ? 'finished' : 'revoked'
}
