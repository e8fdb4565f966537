/** Lists clients page by page, with filters and an order, and exports them as CSV. */
import { z } from 'zod'
import type { ListedClient } from '#lib/ports/admin-lists.ts'
import { clientKindSchema, clientKinds } from '#lib/protocol/registration/client.ts'
import { listOf } from '../list/define-list.ts'
import { searchFilter, statusChoice } from '../list/filters.ts'
import { kindAdvice } from './client-defaults.ts'

const { column, time, timeOrNull, flag, define } = listOf<ListedClient>()

export const clientList = define({
  name: 'clients.list',
  permission: 'clients:read',
  summary: 'Lists clients by name, page by page.',
  path: 'clients',
  filter: searchFilter({
    kind: {
      label: 'Kind',
      options: clientKinds.map(kind => [kind, kindAdvice[kind].title]),
      read: value => clientKindSchema.parse(value),
    },
    enabled: statusChoice('Disabled'),
  }),
  columns: {
    client_id: column(z.string(), ({ clientId }) => clientId),
    name: column(z.string(), ({ name }) => name, { label: 'Name' }),
    kind: column(clientKindSchema, ({ kind }) => kind, { label: 'Kind' }),
    enabled: flag(({ enabled }) => enabled, ['enabled', 'disabled'], { csv: 'status', label: 'Status' }),
    created_at: time(({ createdAt }) => createdAt, { csv: 'created' }),
    updated_at: time(({ updatedAt }) => updatedAt, { csv: 'changed', label: 'Changed', sort: 'updated' }),
    last_used_at: timeOrNull(({ lastUsedAt }) => lastUsedAt, {
      csv: 'last_used',
      label: 'Last used',
      sort: 'last_used',
    }),
    secret_expires_at: timeOrNull(({ secretExpiresAt }) => secretExpiresAt, { csv: 'secret_expires' }),
  },
  read: ({ adminLists }, { filter, page, order, now }) => adminLists.clients(filter, page, now, order),
})

export const listClients = clientList.useCase

export const exportClients = clientList.exportAs({
  name: 'clients.export',
  permission: 'clients:read',
  summary: 'Exports the first clients of a filter as CSV, without secrets.',
  audited: null,
})
