/** A new client: its kind brings the defaults, its secret is told once. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientKindSchema } from '#lib/protocol/client-kind.ts'
import { clientMetadataSchema } from '#lib/protocol/client-metadata.ts'
import { plainMessage } from '#lib/protocol/configuration-problems.ts'
import { type ClientId, clientIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid } from '../admin-result.ts'
import { linesOf } from '../lines.ts'
import { newSecret } from '../secrets/new-secret.ts'
import { commit, type Deed, defineUseCase, fieldErrors } from '../use-case.ts'
import { kindAdvice } from './client-defaults.ts'
import { checkedDocument } from './client-document.ts'

const inputSchema = z.object({
  kind: clientKindSchema,
  client_name: z.string().trim().min(1).max(200),
  client_id: clientIdSchema.optional(),
  redirect_uris: z.array(z.string()).default([]),
  allowed_cors_origins: z.array(z.string()).default([]),
  scope: z.string().max(1000).optional(),
})

const createdSchema = z.object({ client_id: z.string(), client_secret: z.string().nullable() })

export const createClient = defineUseCase({
  name: 'clients.create',
  permission: 'clients:create',
  isSensitive: true,
  isShownOnce: true,
  summary:
    'Registers a client of one kind, with the defaults of that kind. The answer tells its secret, once.',
  done: 'Client created.',
  input: inputSchema,
  output: createdSchema,
  fromForm: ({ kind, client_name, client_id, redirect_uris, scope }) => ({
    kind: kind?.at(-1),
    client_name: client_name?.at(-1),
    client_id: client_id?.at(-1)?.trim() || undefined,
    redirect_uris: linesOf(redirect_uris?.at(-1) ?? ''),
    scope: scope?.at(-1)?.trim() || undefined,
  }),
  api: { method: 'POST', path: '/clients', status: 201 },
  run: (ports, input, deed) => create(ports, input, deed),
})

async function create(
  ports: AdminPorts,
  { kind, client_id: wantedId, ...given }: z.output<typeof inputSchema>,
  deed: Deed,
): Promise<AdminResult<z.infer<typeof createdSchema>>> {
  const advice = kindAdvice[kind]
  if (advice.hasRedirectUri && given.redirect_uris.length === 0)
    return invalid('redirect_uris', 'Name at least one.')
  const clientId = wantedId ?? newClientId(ports, given.client_name)
  const document = { ...advice.metadata, ...withoutEmpty(given), client_id: clientId }
  const read = clientMetadataSchema.safeParse(document, { error: plainMessage })
  if (!read.success) return { kind: 'invalid', errors: fieldErrors(read.error) }
  const checked = checkedDocument(ports, document, deed)
  if (checked.kind !== 'ok') return checked
  const first = advice.hasSecret ? await newSecret(ports, { name: 'First secret', expiresAt: null }) : null
  const secrets = first === null ? [] : [first.stored]
  const record = { clientId, metadata: checked.value, secrets }
  const change = {
    writes: [{ kind: 'configuration', changes: { put: { clients: [record] }, remove: {} } }],
    expected: [{ kind: 'client', id: clientId, version: 0 }],
    audit: [deed.entry({ kind: 'client', id: clientId, before: null, after: checked.value })],
  } as const
  const value = { client_id: clientId, client_secret: first?.issued.secret ?? null }
  const result = await commit(ports, change, { now: deed.now, value })
  if (result.kind !== 'conflict') return result
  return invalid('client_id', 'Another client has this id.')
}

/** The name in letters and digits, with a few random ones so that it is free. */
function newClientId({ random }: Pick<AdminPorts, 'random'>, name: string): ClientId {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const suffix = random
    .id()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 6)
  return clientIdSchema.parse(`${words.slice(0, 40) || 'client'}-${suffix}`)
}

function withoutEmpty(given: Readonly<Record<string, JsonValue | undefined>>): Record<string, JsonValue> {
  const kept = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, value] as const],
  )
  return Object.fromEntries(kept)
}
