/** Rows of grants: their columns in the statements of several stores, and functions that convert them. */
import type { FoundGrant, Grant, GrantOfToken } from '#lib/ports/grants.ts'
import type { Account } from '#lib/ports/users.ts'
import { type GrantDetails, grantDetails, grantDetailsSchema } from '#lib/protocol/grant-details.ts'
import type { Grant as GrantRow } from '#prisma/generated/sqlite/client.ts'
import type { Cells } from '../../sql/statement.ts'
import { table } from '../../sql/table.ts'
import { accountColumns, accountFromRow } from '../identity/user-rows.ts'
import { branded, parseStringList } from '../rows.ts'

export const grantTable = table<GrantRow>('Grant', {
  authenticatedAt: 'time',
  isOffline: 'boolean',
  createdAt: 'time',
  expiresAt: 'time',
  revokedAt: 'time',
})

/** The columns of a `GrantOfToken`. */
const grantOfToken = grantTable.pick(
  'id',
  'clientId',
  'subject',
  'authenticatedAt',
  'expiresAt',
  'revokedAt',
  'details',
)

/** The columns of a grant and its user, parsed by `foundGrant`. */
export const grantAndUser = `${grantTable.of('g')}, ${accountColumns.of('u')}`
export const userOfGrant = 'LEFT JOIN "User" u ON u."subject" = g."subject"'

/** The columns of a grant that a token needs, and of its user, parsed by `tokenGrant`. */
export const tokenGrantAndUser = `${grantOfToken.of('g')}, ${accountColumns.of('u')}`

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

/** Parses the cells of a grant and its user; `null` if an outer join found no grant. */
export function foundGrant(cells: Cells, start: number): FoundGrant | null {
  const grant = grantTable.read(cells, start)
  return grant && { ...grantFromRow(grant), account: accountFrom(cells, start + grantTable.width) }
}

/**
 * Parses the columns of a grant that a token needs; `null` if an outer join found no grant. NOTE: few grants have such claims, so the details of the others are not parsed.
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
