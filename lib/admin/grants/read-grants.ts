/** Reads sessions, grants with their tokens, and consents. */
import { z } from 'zod'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { ok } from '../admin-result.ts'
import { nextToken, pageFields, pageRequest } from '../paging.ts'
import { defineUseCase } from '../use-case.ts'
import {
  consentView,
  consentViewSchema,
  grantView,
  grantViewSchema,
  sessionView,
  sessionViewSchema,
} from './holding-views.ts'

/** NOTE: strict, so that an unknown filter does not select all rows for a revocation. */
const sessionFilterSchema = z.strictObject({ sub: subjectIdSchema.optional(), ...pageFields })
const grantFilterSchema = sessionFilterSchema.extend({ client_id: clientIdSchema.optional() })

export const listSessions = defineUseCase({
  name: 'grants.list_sessions',
  permission: 'grants:read',
  summary:
    'Lists the browser sessions that are alive, the latest used first. They belong to people, not to clients.',
  done: '',
  input: sessionFilterSchema,
  output: z.object({ items: z.array(sessionViewSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/sessions' },
  run: async (ports, { sub, after, limit }, { now }) => {
    const filter = { subject: sub ?? null }
    const listed = { list: 'sessions', filter }
    const page = await ports.adminLists.sessions(filter, pageRequest(ports, listed, after, limit), now)
    return ok({ items: page.items.map(sessionView), next: nextToken(ports, listed, page) })
  },
})

export const listGrants = defineUseCase({
  name: 'grants.list',
  permission: 'grants:read',
  summary:
    'Lists what clients may do for people right now, newest first, with the number of tokens that are alive.',
  done: '',
  input: grantFilterSchema,
  output: z.object({ items: z.array(grantViewSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/grants' },
  run: async (ports, { after, limit, ...owner }, { now }) => {
    const filter = ownedBy(owner)
    const listed = { list: 'grants', filter }
    const page = await ports.adminLists.grants(filter, pageRequest(ports, listed, after, limit), now)
    return ok({ items: page.items.map(grantView), next: nextToken(ports, listed, page) })
  },
})

export const listConsents = defineUseCase({
  name: 'grants.list_consents',
  permission: 'grants:read',
  summary: 'Lists what people allowed clients, so that they are not asked again; the latest given first.',
  done: '',
  input: grantFilterSchema,
  output: z.object({ items: z.array(consentViewSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/consents' },
  run: async (ports, { after, limit, ...owner }, { now }) => {
    const filter = ownedBy(owner)
    const listed = { list: 'consents', filter }
    const page = await ports.adminLists.consents(filter, pageRequest(ports, listed, after, limit), now)
    return ok({ items: page.items.map(consentView), next: nextToken(ports, listed, page) })
  },
})

type Owner = Pick<z.output<typeof grantFilterSchema>, 'sub' | 'client_id'>

function ownedBy({ sub, client_id: clientId }: Owner) {
  return { subject: sub ?? null, clientId: clientId ?? null }
}
