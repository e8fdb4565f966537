/** Finding users, and reading one. */
import { z } from 'zod'
import { ok } from '../admin-result.ts'
import { nextToken, pageFields, pageRequest } from '../paging.ts'
import { readUseCase } from '../resource/resource-use-cases.ts'
import { defineUseCase } from '../use-case.ts'
import { signInBlock } from './allow-sign-in.ts'
import { users, userView, userViewSchema } from './user-resource.ts'

/** Until when failed attempts block sign-ins of the user. */
const blockShape = { sign_in_blocked_until: z.string().nullable().describe('null: it is not blocked.') }

const listedUserSchema = z.object({
  ...blockShape,
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
  summary: 'Lists users by user name, page by page; `q` searches names and addresses by their beginnings.',
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
    const items = page.items.map(async ({ subject, createdAt, ...item }) => ({
      ...item,
      sub: subject,
      created_at: createdAt.toISOString(),
      ...(await blockOf(ports, item.username)),
    }))
    return ok({ items: await Promise.all(items), next: nextToken(ports, listed, page) })
  },
})

export const readUser = readUseCase(users, {
  summary: 'Reads one user.',
  output: userViewSchema.extend(blockShape),
  answer: async (ports, stored) => ({ ...userView(stored), ...(await blockOf(ports, stored.username)) }),
})

async function blockOf(ports: Parameters<typeof signInBlock>[0], username: string) {
  const block = await signInBlock(ports, username)
  return { sign_in_blocked_until: block?.until.toISOString() ?? null }
}
