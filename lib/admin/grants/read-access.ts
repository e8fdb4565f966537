/**
 * Lists sessions, grants, access and consents, and exports them (grants only as access). No list contains a token or handle.
 */
import { z } from 'zod'
import type { GrantFilter, ListedAccess, ListedGrant } from '#lib/ports/admin-lists.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type ClientId, clientIdSchema, type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { defineExport } from '../csv.ts'
import { columnsOf } from '../list/columns.ts'
import { listOf } from '../list/define-list.ts'

type Owner = { readonly sub?: SubjectId | undefined; readonly client_id?: ClientId | undefined }

function ownedBy({ sub, client_id: clientId }: Owner): GrantFilter {
  return { subject: sub ?? null, clientId: clientId ?? null }
}

/** NOTE: strict: without it, a mistyped filter would select all rows. */
const ofUser = { schema: z.strictObject({ sub: subjectIdSchema.optional() }), of: ownedBy }
const ofUserAndClient = {
  schema: ofUser.schema.extend({ client_id: clientIdSchema.optional() }),
  of: ownedBy,
}
const text = z.string()

const session = listOf<Session>()

export const sessionList = session.define({
  name: 'grants.list_sessions',
  permission: 'grants:read',
  summary:
    'Lists the live browser sessions; without `sort` the latest used first. They belong to users, not to clients.',
  path: 'sessions',
  filter: ofUser,
  columns: {
    session_id: session.column(text, ({ sessionId }) => sessionId),
    sub: session.column(text, ({ subject }) => subject, { label: 'User' }),
    idp: session.column(text, ({ idp }) => idp),
    amr: session.column(z.array(text), ({ amr }) => [...amr]),
    authenticated_at: session.time(row => row.authenticatedAt, { label: 'Signed in', sort: 'signed_in' }),
    created_at: session.time(({ createdAt }) => createdAt),
    last_seen_at: session.time(({ lastSeenAt }) => lastSeenAt, { label: 'Last active', sort: 'last_active' }),
    expires_at: session.time(({ expiresAt }) => expiresAt),
    is_persistent: session.column(z.boolean(), ({ isPersistent }) => isPersistent, {
      about: 'It survives closing the browser.',
    }),
    user_agent: session.column(text.nullable(), ({ userAgent }) => userAgent, { label: 'Device' }),
    address: session.column(text.nullable(), ({ address }) => address, { label: 'IP address' }),
  },
  read: ({ adminLists }, { filter, page, now, order }) => adminLists.sessions(filter, page, now, order),
})

type Owned = Pick<Consent, 'subject' | 'clientId' | 'scopes'>

/** The columns that all lists with a user and a client have. */
function ownerColumns<Row extends Owned>(scopes = text) {
  const { column } = columnsOf<Row>()
  return {
    sub: column(text, ({ subject }) => subject, { label: 'User' }),
    client_id: column(text, ({ clientId }) => clientId, { label: 'Client' }),
    scope: column(scopes, row => row.scopes.join(' '), { label: 'Scopes' }),
  }
}

const granted = listOf<ListedGrant>()

export const grantList = granted.define({
  name: 'grants.list',
  permission: 'grants:read',
  summary: 'Lists the live grants, without `sort` newest first, each with the number of its valid tokens.',
  path: 'grants',
  filter: ofUserAndClient,
  columns: {
    grant_id: granted.column(text, ({ id }) => id),
    ...ownerColumns<ListedGrant>(),
    session_id: granted.column(text.nullable(), ({ sessionId }) => sessionId, {
      about: 'The session in which it was given.',
    }),
    is_offline: granted.column(z.boolean(), ({ isOffline }) => isOffline, {
      about: 'It outlives that session.',
    }),
    refresh_tokens: granted.column(z.number(), ({ refreshTokens }) => refreshTokens),
    reference_tokens: granted.column(z.number(), ({ referenceTokens }) => referenceTokens),
    created_at: granted.time(({ createdAt }) => createdAt, { sort: 'granted' }),
    expires_at: granted.time(({ expiresAt }) => expiresAt),
  },
  read: ({ adminLists }, { filter, page, now, order }) => adminLists.grants(filter, page, now, order),
})

const accessed = listOf<ListedAccess>()

export const accessList = accessed.define({
  name: 'grants.list_access',
  permission: 'grants:read',
  summary:
    'Lists the clients with access to a user’s account, once for each user and client; without `sort` the latest first.',
  path: 'access',
  filter: ofUserAndClient,
  columns: {
    ...ownerColumns<ListedAccess>(text.describe('The scopes of all its grants.')),
    grants: accessed.column(z.number(), ({ grants }) => grants),
    refresh_tokens: accessed.column(z.number(), row => row.refreshTokens),
    reference_tokens: accessed.column(z.number(), row => row.referenceTokens),
    authorized_at: accessed.time(({ latestAt }) => latestAt, {
      label: 'Authorized',
      sort: 'granted',
      about: 'When the newest of its grants was created.',
    }),
  },
  read: ({ adminLists }, { filter, page, now, order }) => adminLists.access(filter, page, now, order),
})

const consented = listOf<Consent>()

export const consentList = consented.define({
  name: 'grants.list_consents',
  permission: 'grants:read',
  summary: 'Lists the remembered consents of users for clients; without `sort` the latest given first.',
  path: 'consents',
  filter: ofUserAndClient,
  columns: {
    ...ownerColumns<Consent>(),
    created_at: consented.time(({ createdAt }) => createdAt),
    updated_at: consented.time(({ updatedAt }) => updatedAt, { label: 'Granted', sort: 'granted' }),
    expires_at: consented.timeOrNull(({ expiresAt }) => expiresAt, {
      about: 'null: valid until it is removed.',
    }),
  },
  read: ({ adminLists }, { filter, page, now, order }) => adminLists.consents(filter, page, now, order),
})

export const listSessions = sessionList.useCase
export const listGrants = grantList.useCase
export const listAccess = accessList.useCase
export const listConsents = consentList.useCase

const exported = { sessions: sessionList, access: accessList, consents: consentList } as const

export const exportAccess = defineExport({
  name: 'grants.export',
  permission: 'grants:export',
  summary: 'Exports the first sessions, access or consents of a filter as CSV.',
  input: z.object({
    show: z.enum(['sessions', 'access', 'consents']).catch('sessions'),
    sub: subjectIdSchema.optional(),
    client_id: clientIdSchema.optional(),
    sort: z.string().optional(),
  }),
  audited: 'access',
  read: async (ports, { show, sort, ...owner }, { now }) => {
    const { noted, lines } = await exported[show].exportedRows(ports, ownedBy(owner), sort, now)
    return { noted: { list: show, ...noted }, lines }
  },
})
