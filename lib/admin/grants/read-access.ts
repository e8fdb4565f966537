/** Lists sessions, grants, access and consents. Tokens are shown only as a number, a session only by its ID. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type {
  GrantFilter,
  ListedAccess,
  ListedGrant,
  ListOwned,
  Page,
  PageRequest,
  TimeOrder,
} from '#lib/ports/admin-lists.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type ClientId, clientIdSchema, type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, ok } from '../admin-result.ts'
import { defineExport } from '../csv.ts'
import { nextToken, orderSchema, pageFields, pageRequest, readPages } from '../paging.ts'
import { defineUseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'

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
const sessionFilterSchema = z.strictObject({
  sub: subjectIdSchema.optional(),
  sort: orderSchema(['last_active', 'signed_in']),
  ...pageFields,
})
const grantFilterSchema = z.strictObject({
  sub: subjectIdSchema.optional(),
  client_id: clientIdSchema.optional(),
  sort: orderSchema(['granted']),
  ...pageFields,
})

export const listSessions = defineUseCase({
  name: 'grants.list_sessions',
  permission: 'grants:read',
  summary:
    'Lists the live browser sessions; without `sort` the latest used first. They belong to users, not to clients.',
  input: sessionFilterSchema,
  output: pageSchema(sessionSchema),
  api: { method: 'GET', path: '/sessions' },
  run: (ports, input, { now }) => {
    const list = { name: 'sessions', read: ports.adminLists.sessions, view: sessionView } as const
    return pageOf(ports, list, ownedBy(input), { ...input, now })
  },
})

export const listGrants = ownedList({
  name: 'grants.list',
  summary: 'Lists the live grants, without `sort` newest first, each with the number of its valid tokens.',
  row: grantSchema,
  list: 'grants',
  view: grantView,
})

export const listAccess = ownedList({
  name: 'grants.list_access',
  summary:
    'Lists the clients with access to a user’s account, once for each user and client; without `sort` the latest first.',
  row: accessSchema,
  list: 'access',
  view: accessView,
})

export const listConsents = ownedList({
  name: 'grants.list_consents',
  summary: 'Lists the remembered consents of users for clients; without `sort` the latest given first.',
  row: consentSchema,
  list: 'consents',
  view: consentView,
})

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
    const filter = ownedBy(owner)
    const rows = await rowsOf(ports, show, { filter, sort, now })
    const names = Object.keys((show === 'sessions' ? sessionSchema : ownedSchemas[show]).shape)
    const columns = Object.fromEntries(
      names.map(name => [name, (row: object) => textOf(Reflect.get(row, name))]),
    )
    return { noted: { list: show, filter }, rows, columns }
  },
})

const ownedSchemas = { access: accessSchema, consents: consentSchema } as const

type ExportRequest = { readonly filter: GrantFilter; readonly sort: string | undefined; readonly now: Date }

async function rowsOf(
  { adminLists }: AdminPorts,
  show: 'sessions' | 'access' | 'consents',
  { filter, sort, now }: ExportRequest,
): Promise<readonly object[]> {
  const all = <T>(read: (page: PageRequest) => Promise<Page<T>>) => readPages(read, adminList.exported)
  if (show === 'sessions') {
    const order = sessionFilterSchema.shape.sort.catch(undefined).parse(sort)
    return (await all(page => adminLists.sessions(filter, page, now, order))).map(sessionView)
  }
  const order = grantFilterSchema.shape.sort.catch(undefined).parse(sort)
  return show === 'access'
    ? (await all(page => adminLists.access(filter, page, now, order))).map(accessView)
    : (await all(page => adminLists.consents(filter, page, now, order))).map(consentView)
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : String(value ?? '')
}

type Owner = { readonly sub?: SubjectId | undefined; readonly client_id?: ClientId | undefined }

function ownedBy({ sub, client_id: clientId }: Owner): GrantFilter {
  return { subject: sub ?? null, clientId: clientId ?? null }
}

type OwnedRow = { readonly grants: ListedGrant; readonly access: ListedAccess; readonly consents: Consent }

type OwnedList<L extends keyof OwnedRow, V> = {
  readonly name: string
  readonly summary: string
  readonly list: L
  readonly row: z.ZodType<V>
  readonly view: (row: OwnedRow[L]) => V
}

/** A list that is filtered by user and client. */
function ownedList<L extends keyof OwnedRow, V>({ name, summary, list, row, view }: OwnedList<L, V>) {
  return defineUseCase({
    name,
    permission: 'grants:read',
    summary,
    input: grantFilterSchema,
    output: pageSchema(row),
    api: { method: 'GET', path: `/${list}` },
    run: (ports, input, { now }) => {
      const lists: { readonly [K in keyof OwnedRow]: ListOwned<OwnedRow[K]> } = ports.adminLists
      return pageOf(ports, { name: list, read: lists[list], view }, ownedBy(input), { ...input, now })
    },
  })
}

type List<By extends string, T, V> = {
  readonly name: string
  readonly read: (
    filter: GrantFilter,
    page: PageRequest,
    now: Date,
    order: TimeOrder<By> | null,
  ) => Promise<Page<T>>
  readonly view: (row: T) => V
}
type PageInput<By extends string> = {
  readonly after?: string | undefined
  readonly limit: number
  readonly sort?: TimeOrder<By> | null | undefined
  readonly now: Date
}

async function pageOf<By extends string, T, V>(
  ports: AdminPorts,
  { name, read, view }: List<By, T, V>,
  filter: GrantFilter,
  { after, limit, sort: order = null, now }: PageInput<By>,
): Promise<AdminResult<{ items: V[]; next: string | null }>> {
  const listed = { list: name, filter: { ...filter, order } }
  const page = await read(filter, pageRequest(ports, listed, after, limit), now, order)
  return ok({ items: page.items.map(view), next: nextToken(ports, listed, page) })
}

function sessionView(session: Session): z.infer<typeof sessionSchema> {
  return viewOf(sessionSchema, session, { sub: session.subject })
}

function grantView(grant: ListedGrant): z.infer<typeof grantSchema> {
  return viewOf(grantSchema, grant, { ...ownedFields(grant), grant_id: grant.id })
}

function accessView(access: ListedAccess): z.infer<typeof accessSchema> {
  return viewOf(accessSchema, access, {
    ...ownedFields(access),
    authorized_at: access.latestAt.toISOString(),
  })
}

function consentView(consent: Consent): z.infer<typeof consentSchema> {
  return viewOf(consentSchema, consent, ownedFields(consent))
}

function ownedFields({ subject, scopes }: Pick<Consent, 'subject' | 'scopes'>) {
  return { sub: subject, scope: scopes.join(' ') }
}
