/** Finding users, reading one, and exporting the list. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { ListedUser } from '#lib/ports/admin-lists.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ok } from '../admin-result.ts'
import { type Columns, defineExport } from '../csv.ts'
import { nextToken, orderSchema, pageFields, pageRequest, readPages } from '../paging.ts'
import { readUseCase } from '../resource/resource.ts'
import { defineUseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'
import { signInBlock, users, userView, userViewSchema } from './user-resource.ts'

const blockShape = {
  sign_in_blocked_until: z
    .string()
    .nullable()
    .describe('Until when failed attempts block sign-ins of the user; null: they are not blocked.'),
}

const listedUserSchema = z.object({
  ...blockShape,
  sub: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  enabled: z.boolean(),
  created_at: z.string(),
  last_sign_in_at: z.string().nullable(),
})

export const userFilterSchema = z.object({
  q: z.string().max(200).optional(),
  enabled: z.enum(['true', 'false']).optional(),
  sort: orderSchema(['created', 'last_sign_in']),
})

type Filter = z.output<typeof userFilterSchema>

/** The filter as the list has it. */
export function userFilterOf({ q, enabled }: Filter) {
  return { search: q ?? null, enabled: enabled === undefined ? null : enabled === 'true' }
}

export const listUsers = defineUseCase({
  name: 'users.list',
  permission: 'users:read',
  summary: 'Lists users by user name, page by page; `q` searches names and addresses by their beginnings.',
  input: userFilterSchema.extend(pageFields),
  output: z.object({ items: z.array(listedUserSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/users' },
  run: async (ports, { after, limit, ...input }) => {
    const filter = userFilterOf(input)
    const order = input.sort ?? null
    const listed = { list: 'users', filter: { ...filter, order } }
    const page = await ports.adminLists.users(filter, pageRequest(ports, listed, after, limit), order)
    return ok({ items: await withBlocks(ports, page.items), next: nextToken(ports, listed, page) })
  },
})

async function withBlocks(
  { rateLimiter, userService, clock }: AdminPorts,
  items: readonly ListedUser[],
): Promise<z.output<typeof listedUserSchema>[]> {
  const accounts = await Promise.all(items.map(({ username }) => userService.canonicalUsername(username)))
  const blocks = await rateLimiter.blocksOf(accounts, clock.now())
  return items.map((item, index) =>
    viewOf(listedUserSchema, item, {
      sub: item.subject,
      sign_in_blocked_until: blocks.get(accounts[index] ?? '')?.until.toISOString() ?? null,
    }),
  )
}

export const exportUsers = defineExport({
  name: 'users.export',
  permission: 'users:export',
  summary: 'Exports the first users of a filter as CSV.',
  input: userFilterSchema,
  audited: 'users',
  read: async ({ adminLists }, input) => {
    const filter = userFilterOf(input)
    const rows = await readPages(
      page => adminLists.users(filter, page, input.sort ?? null),
      adminList.exported,
    )
    return { noted: { filter }, rows, columns }
  },
})

const columns: Columns<ListedUser> = {
  subject: ({ subject }) => subject,
  username: ({ username }) => username,
  name: ({ name }) => name,
  email: ({ email }) => email,
  status: ({ enabled }) => (enabled ? 'enabled' : 'locked'),
  created: ({ createdAt }) => createdAt.toISOString(),
  last_sign_in: ({ lastSignInAt }) => lastSignInAt?.toISOString() ?? null,
}

export const readUser = readUseCase(users, {
  summary: 'Reads one user.',
  output: userViewSchema.extend(blockShape),
  answer: async (ports, stored) => {
    const block = await signInBlock(ports, stored.username)
    return { ...userView(stored), sign_in_blocked_until: block?.until.toISOString() ?? null }
  },
})
