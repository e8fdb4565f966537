/** Lists sessions, grants, access and consents. Tokens are shown only as a number, a session only by its ID. */
import { z } from 'zod'
import type {
  GrantFilter,
  ListedAccess,
  ListedGrant,
  Page,
  PageRequest,
  SessionFilter,
} from '#lib/ports/admin-lists.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, ok } from '../admin-result.ts'
import { nextToken, pageFields, pageRequest } from '../paging.ts'
import { defineUseCase } from '../use-case.ts'

const sessionSchema = z.object({
  session_id: z.string(),
  sub: z.string(),
  idp: z.string(),
  amr: z.array(z.string()),
  authenticated_at: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
  is_persistent: z.boolean().describe('It survives closing the browser.'),
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
})

const grantSchema = z.object({
  grant_id: z.string(),
  sub: z.string(),
  client_id: z.string(),
  scope: z.string(),
  session_id: z.string().nullable().describe('The session in which it was given.'),
  is_offline: z.boolean().describe('It outlives that session.'),
  refresh_tokens: z.number(),
  reference_tokens: z.number(),
  created_at: z.string(),
  expires_at: z.string(),
})

const accessSchema = z.object({
  sub: z.string(),
  client_id: z.string(),
  scope: z.string().describe('The scopes of all its grants.'),
  grants: z.number(),
  refresh_tokens: z.number(),
  reference_tokens: z.number(),
  authorized_at: z.string().describe('When the newest of its grants was created.'),
})

const consentSchema = z.object({
  sub: z.string(),
  client_id: z.string(),
  scope: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.string().nullable().describe('null: valid until it is removed.'),
})

const pageSchema = <T extends z.ZodType>(items: T) =>
  z.object({ items: z.array(items), next: z.string().nullable() })

/** NOTE: strict, so that an unknown filter does not select all rows for a revocation. */
const sessionFilterSchema = z.strictObject({ sub: subjectIdSchema.optional(), ...pageFields })
const grantFilterSchema = sessionFilterSchema.extend({ client_id: clientIdSchema.optional() })

export const listSessions = defineUseCase({
  name: 'grants.list_sessions',
  permission: 'grants:read',
  summary: 'Lists the live browser sessions, the latest used first. They belong to users, not to clients.',
  done: '',
  input: sessionFilterSchema,
  output: pageSchema(sessionSchema),
  api: { method: 'GET', path: '/sessions' },
  run: (ports, input, { now }) => {
    const filter = { subject: input.sub ?? null }
    const read = ports.adminLists.sessions
    return pageOf(ports, { list: 'sessions', filter, read, view: sessionView, now }, input)
  },
})

export const listGrants = defineUseCase({
  name: 'grants.list',
  permission: 'grants:read',
  summary: 'Lists the live grants, newest first, each with the number of its valid tokens.',
  done: '',
  input: grantFilterSchema,
  output: pageSchema(grantSchema),
  api: { method: 'GET', path: '/grants' },
  run: (ports, input, { now }) => {
    const filter = ownedBy(input)
    const read = ports.adminLists.grants
    return pageOf(ports, { list: 'grants', filter, read, view: grantView, now }, input)
  },
})

export const listAccess = defineUseCase({
  name: 'grants.list_access',
  permission: 'grants:read',
  summary:
    'Lists the clients with access to a user’s account, once for each user and client, the latest first.',
  done: '',
  input: grantFilterSchema,
  output: pageSchema(accessSchema),
  api: { method: 'GET', path: '/access' },
  run: (ports, input, { now }) => {
    const filter = ownedBy(input)
    const read = ports.adminLists.access
    return pageOf(ports, { list: 'access', filter, read, view: accessView, now }, input)
  },
})

export const listConsents = defineUseCase({
  name: 'grants.list_consents',
  permission: 'grants:read',
  summary: 'Lists the remembered consents of users for clients, the latest given first.',
  done: '',
  input: grantFilterSchema,
  output: pageSchema(consentSchema),
  api: { method: 'GET', path: '/consents' },
  run: (ports, input, { now }) => {
    const filter = ownedBy(input)
    const read = ports.adminLists.consents
    return pageOf(ports, { list: 'consents', filter, read, view: consentView, now }, input)
  },
})

function ownedBy({
  sub,
  client_id: clientId,
}: Omit<z.output<typeof grantFilterSchema>, 'limit'>): GrantFilter {
  return { subject: sub ?? null, clientId: clientId ?? null }
}

type Listing<F, T, V> = {
  readonly list: string
  readonly filter: F
  readonly read: (filter: F, page: PageRequest, now: Date) => Promise<Page<T>>
  readonly view: (row: T) => V
  readonly now: Date
}

async function pageOf<F extends GrantFilter | SessionFilter, T, V>(
  ports: AdminPorts,
  { list, filter, read, view, now }: Listing<F, T, V>,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<AdminResult<{ items: V[]; next: string | null }>> {
  const listed = { list, filter: { ...filter } }
  const page = await read(filter, pageRequest(ports, listed, after, limit), now)
  return ok({ items: page.items.map(view), next: nextToken(ports, listed, page) })
}

function sessionView(session: Session): z.infer<typeof sessionSchema> {
  return {
    session_id: session.sessionId,
    sub: session.subject,
    idp: session.idp,
    amr: [...session.amr],
    authenticated_at: session.authenticatedAt.toISOString(),
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    is_persistent: session.isPersistent,
    user_agent: session.userAgent,
    address: session.address,
  }
}

function grantView(grant: ListedGrant): z.infer<typeof grantSchema> {
  return {
    grant_id: grant.id,
    sub: grant.subject,
    client_id: grant.clientId,
    scope: grant.scopes.join(' '),
    session_id: grant.sessionId,
    is_offline: grant.isOffline,
    refresh_tokens: grant.refreshTokens,
    reference_tokens: grant.referenceTokens,
    created_at: grant.createdAt.toISOString(),
    expires_at: grant.expiresAt.toISOString(),
  }
}

function accessView(access: ListedAccess): z.infer<typeof accessSchema> {
  return {
    sub: access.subject,
    client_id: access.clientId,
    scope: access.scopes.join(' '),
    grants: access.grants,
    refresh_tokens: access.refreshTokens,
    reference_tokens: access.referenceTokens,
    authorized_at: access.latestAt.toISOString(),
  }
}

function consentView(consent: Consent): z.infer<typeof consentSchema> {
  return {
    sub: consent.subject,
    client_id: consent.clientId,
    scope: consent.scopes.join(' '),
    created_at: consent.createdAt.toISOString(),
    updated_at: consent.updatedAt.toISOString(),
    expires_at: consent.expiresAt?.toISOString() ?? null,
  }
}
