/** Finding people, and reading one. */
import { z } from 'zod'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { notFound, ok } from '../admin-result.ts'
import { nextToken, pageFields, pageRequest } from '../paging.ts'
import { defineUseCase } from '../use-case.ts'
import { userView, userViewSchema } from './user-view.ts'

const listedUserSchema = z.object({
  sub: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  enabled: z.boolean(),
  created_at: z.string(),
})

export const listUsers = defineUseCase({
  name: 'users.list',
  permission: 'users:read',
  summary: 'Lists people by user name, page by page; `q` searches names and addresses by their beginnings.',
  done: '',
  input: z.object({
    q: z.string().max(200).optional(),
    enabled: z.enum(['true', 'false']).optional(),
    ...pageFields,
  }),
  output: z.object({ items: z.array(listedUserSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/users' },
  run: async (ports, { q, enabled, after, limit }) => {
    const filter = { search: q ?? null, enabled: enabled === undefined ? null : enabled === 'true' }
    const listed = { list: 'users', filter }
    const page = await ports.adminLists.users(filter, pageRequest(ports, listed, after, limit))
    const items = page.items.map(({ subject, createdAt, ...item }) => ({
      ...item,
      sub: subject,
      created_at: createdAt.toISOString(),
    }))
    return ok({ items, next: nextToken(ports, listed, page) })
  },
})

export const readUser = defineUseCase({
  name: 'users.read',
  permission: 'users:read',
  summary: 'Reads one person.',
  done: '',
  input: z.object({ sub: subjectIdSchema }),
  output: userViewSchema,
  api: { method: 'GET', path: '/users/{sub}' },
  run: async (ports, { sub }) => {
    const stored = await ports.adminLists.user(sub)
    return stored === null ? notFound : ok(userView(stored))
  },
})
