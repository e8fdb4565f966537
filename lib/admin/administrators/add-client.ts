/** A role for a client, together with what it lacks to use it. */
import { z } from 'zod'
import type { Change } from '#lib/ports/admin-store.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import { clientFromMetadata } from '#lib/protocol/client-metadata.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { invalid } from '../admin-result.ts'
import { documentOf, type StoredClient } from '../clients/client-document.ts'
import { auditedDocument } from '../secrets/audited-document.ts'
import { commit, type Deed, defineUseCase } from '../use-case.ts'
import { type ApiAccess, apiAccess } from './api-access.ts'

export const addClient = defineUseCase({
  name: 'administrators.add_client',
  permission: 'administrators:update',
  summary:
    'Gives a client a role, so that it can use this API with tokens of its own. One that nobody signs in to also gets the grant type client_credentials and the scope latchkey.admin if it lacks them; a client of the configuration file needs them there, or the next start takes them away again.',
  done: 'The client may use the API now, with the grant type client_credentials and the scope latchkey.admin.',
  isSensitive: true,
  input: z.object({ client_id: clientIdSchema, role: adminRoleSchema }),
  output: z.object({ subject: z.string(), role: adminRoleSchema.nullable() }),
  api: { method: 'POST', path: '/administrators/clients', status: 201 },
  run: async (ports, { client_id: clientId, role }, deed) => {
    const subject = subjectIdSchema.safeParse(clientId)
    const stored = await ports.adminLists.client(clientId)
    if (!subject.success || stored === null) return invalid('client_id', 'There is no client with this id.')
    if ((await ports.administrators.find(subject.data)) !== null)
      return invalid('client_id', 'This client has a role already; change it in the list.')
    const access = apiAccess(stored, clientFromMetadata(stored.metadata), deed.now)
    if (access.kind === 'impossible') return invalid('client_id', access.because)
    const opened = openedTo(stored, access, deed)
    const change = {
      writes: [...opened.writes, { kind: 'put_administrator', subject: subject.data, role }],
      expected: opened.expected,
      roles: [{ subject: subject.data, role: null }],
      audit: [
        ...opened.audit,
        deed.entry({ kind: 'administrator', id: clientId, before: null, after: { role } }),
      ],
    } as const
    return commit(ports, change, { now: deed.now, value: { subject: clientId, role } })
  },
})

/** The client with what it lacked; an audit row of its own says so in its history. */
function openedTo(
  { clientId, version, secrets, metadata }: StoredClient,
  access: ApiAccess,
  { entry }: Deed,
): Required<Pick<Change, 'writes' | 'expected' | 'audit'>> {
  const expected = [{ kind: 'client', id: clientId, version }] as const
  if (access.kind !== 'lacking') return { writes: [], expected, audit: [] }
  const { document } = access
  const before = auditedDocument(documentOf({ metadata }), secrets)
  const after = auditedDocument(document, secrets)
  const put = { clients: [{ clientId, metadata: document, secrets }] }
  return {
    writes: [{ kind: 'configuration', changes: { put, remove: {} } }],
    expected,
    audit: [entry({ kind: 'client', id: clientId, before, after })],
  }
}
