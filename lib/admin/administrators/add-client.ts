/** A role for a client, together with what it lacks to use it. */
import { z } from 'zod'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { invalid } from '../admin-result.ts'
import { clients } from '../clients/client-resource.ts'
import { putPart } from '../resource/resource.ts'
import { commit } from '../run-use-case.ts'
import { defineUseCase } from '../use-case.ts'
import { apiAccess } from './api-access.ts'

export const addClient = defineUseCase({
  name: 'administrators.add_client',
  permission: 'administrators:update',
  summary:
    'Gives a client a role, so that it can use this API with its own tokens. A machine client also gets the grant type client_credentials and the scope latchkey.admin if it lacks them; a client of the configuration file needs them there, or the next start removes them.',
  done: 'The client may use the API now, with the grant type client_credentials and the scope latchkey.admin.',
  isSensitive: true,
  input: z.object({ client_id: clientIdSchema, role: adminRoleSchema }),
  output: z.object({ subject: z.string(), role: adminRoleSchema.nullable() }),
  api: { method: 'POST', path: '/administrators/clients', status: 201 },
  run: async (ports, { client_id: clientId, role }, call) => {
    const subject = subjectIdSchema.safeParse(clientId)
    const stored = await ports.adminLists.client(clientId)
    if (!subject.success || stored === null) return invalid('client_id', 'There is no client with this id.')
    if ((await ports.administrators.find(subject.data)) !== null)
      return invalid('client_id', 'This client has a role already; change it in the list.')
    const access = apiAccess(stored, clientFromMetadata(stored.metadata), call.now)
    if (access.kind === 'impossible') return invalid('client_id', access.because)
    const isChanged = access.kind === 'lacking'
    const metadata = isChanged ? access.document : stored.metadata
    // Written also when nothing changes: its version is compared
    const client = putPart(
      clients,
      { row: { ...stored, metadata }, before: stored, version: stored.version },
      call,
    )
    const change = {
      writes: [client.write, { kind: 'put_administrator', subject: subject.data, role }],
      roles: [{ subject: subject.data, role: null }],
      audit: [
        ...(isChanged ? [client.audit] : []),
        call.entry({ kind: 'administrator', id: clientId, before: null, after: { role } }),
      ],
    } as const
    return commit(ports, change, { now: call.now, value: { subject: clientId, role } })
  },
})
