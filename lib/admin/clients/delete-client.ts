/** Deleting a client ends everything issued to it. */
import { z } from 'zod'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { notFound } from '../admin-result.ts'
import { commit, defineUseCase } from '../use-case.ts'
import { documentOf } from './client-document.ts'
import { ownersOnly } from './owned-client.ts'

export const deleteClient = defineUseCase({
  name: 'clients.delete',
  permission: 'clients:delete',
  summary: 'Deletes a client, the consents given to it, and every token it holds.',
  done: 'Client deleted. What it held is worth nothing any more.',
  input: z.object({ client_id: clientIdSchema, version: z.coerce.number().int() }),
  output: z.object({ client_id: z.string() }),
  api: { method: 'DELETE', path: '/clients/{client_id}' },
  run: async (ports, { client_id: clientId, version }, deed) => {
    const stored = await ports.adminLists.client(clientId)
    if (stored === null) return notFound
    const refusal = await ownersOnly(ports, stored, deed)
    if (refusal !== null) return refusal
    const change = {
      writes: [{ kind: 'configuration', changes: { put: {}, remove: { clients: [clientId] } } }],
      expected: [{ kind: 'client', id: clientId, version }],
      audit: [deed.entry({ kind: 'client', id: clientId, before: documentOf(stored), after: null })],
    } as const
    return commit(ports, change, { now: deed.now, value: { client_id: clientId } })
  },
})
