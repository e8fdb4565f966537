/** Lists users, and reads one. */
import { z } from 'zod'
import type { ListedUser } from '#lib/ports/admin-lists.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { listOf } from '../list/define-list.ts'
import { searchFilter, statusChoice } from '../list/filters.ts'
import { readUseCase } from '../resource/resource.ts'
import { signInBlock, users, userView, userViewSchema } from './user-resource.ts'

const blockedUntilSchema = z
  .string()
  .nullable()
  .describe('Until when failed attempts block sign-ins of the user; null: they are not blocked.')

type Row = ListedUser & { readonly blockedUntil: Date | null }

const { column, time, timeOrNull, flag, define } = listOf<Row>()

export const userList = define({
  name: 'users.list',
  permission: 'users:read',
  summary: 'Lists users by user name, page by page; `q` searches names and addresses by their beginnings.',
  path: 'users',
  filter: searchFilter({ enabled: statusChoice('Locked') }),
  columns: {
    sign_in_blocked_until: column(
      blockedUntilSchema,
      ({ blockedUntil }) => blockedUntil?.toISOString() ?? null,
      { csv: false },
    ),
    sub: column(z.string(), ({ subject }) => subject, { csv: 'subject' }),
    username: column(z.string(), ({ username }) => username),
    name: column(z.string().nullable(), ({ name }) => name, { label: 'Name' }),
    email: column(z.string().nullable(), ({ email }) => email, { label: 'Email' }),
    enabled: flag(({ enabled }) => enabled, ['enabled', 'locked'], { csv: 'status', label: 'Status' }),
    created_at: time(({ createdAt }) => createdAt, { csv: 'created', label: 'Created', sort: 'created' }),
    last_sign_in_at: timeOrNull(({ lastSignInAt }) => lastSignInAt, {
      csv: 'last_sign_in',
      label: 'Last sign-in',
      sort: 'last_sign_in',
    }),
  },
  read: async (ports, { filter, page, order }) => {
    const { items, next } = await ports.adminLists.users(filter, page, order)
    return { items: await withBlocks(ports, items), next }
  },
})

async function withBlocks(
  { rateLimiter, userService, clock }: AdminPorts,
  items: readonly ListedUser[],
): Promise<readonly Row[]> {
  const accounts = await Promise.all(items.map(({ username }) => userService.canonicalUsername(username)))
  const blocks = await rateLimiter.blocksOf(accounts, clock.now())
  return items.map((item, index) => ({
    ...item,
    blockedUntil: blocks.get(accounts[index] ?? '')?.until ?? null,
  }))
}

export const listUsers = userList.useCase

export const exportUsers = userList.exportAs({
  name: 'users.export',
  permission: 'users:export',
  summary: 'Exports the first users of a filter as CSV.',
  audited: 'users',
})

export const readUser = readUseCase(users, {
  summary: 'Reads one user.',
  output: userViewSchema.extend({ sign_in_blocked_until: blockedUntilSchema }),
  answer: async (ports, stored) => {
    const block = await signInBlock(ports, stored.username)
    return { ...userView(stored), sign_in_blocked_until: block?.until.toISOString() ?? null }
  },
})
