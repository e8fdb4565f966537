/** Creates a client with the defaults of its kind; its secret is shown once. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { type ClientId, clientIdSchema } from '#lib/protocol/ids.ts'
import { type ClientKind, clientKindSchema } from '#lib/protocol/registration/client.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, type FieldError, invalid, ok } from '../admin-result.ts'
import { errorFor, lenient } from '../field-errors.ts'
import { linesOf } from '../lines.ts'
import { createRow } from '../resource/resource.ts'
import { newSecret } from '../secrets/new-secret.ts'
import { type AdminCall, defineUseCase } from '../use-case.ts'
import { checkedDocument, documentErrors } from './checked-document.ts'
import { kindAdvice } from './client-defaults.ts'
import { clients } from './client-resource.ts'

const inputSchema = z.object({
  kind: clientKindSchema,
  client_name: z.string().trim().min(1).max(200),
  client_id: clientIdSchema.optional(),
  redirect_uris: z.array(z.string()).default([]),
  allowed_cors_origins: z.array(z.string()).default([]),
  scope: z.string().max(1000).optional(),
})

const { shape } = inputSchema
const readableSchema = z.object({
  kind: clientKindSchema,
  client_name: lenient(shape.client_name),
  client_id: lenient(shape.client_id),
  redirect_uris: lenient(shape.redirect_uris),
  allowed_cors_origins: lenient(shape.allowed_cors_origins),
  scope: lenient(shape.scope),
})

const createdSchema = z.object({ client_id: z.string(), client_secret: z.string().nullable() })

export const createClient = defineUseCase({
  name: 'clients.create',
  permission: 'clients:create',
  isSensitive: true,
  isShownOnce: true,
  summary:
    'Registers a client of one kind, with the defaults of that kind. The response contains its secret, once.',
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
  validate,
  api: { method: 'POST', path: '/clients', status: 201 },
  run: (ports, input, call) => create(ports, input, call),
})

async function create(
  ports: AdminPorts,
  input: z.output<typeof inputSchema>,
  call: AdminCall,
): Promise<AdminResult<z.infer<typeof createdSchema>>> {
  const wish = await wishFor(ports, input)
  const checked = await checkedDocument(ports, wish, call)
  if (checked.kind !== 'ok') return checked
  const { hasSecret } = kindAdvice[input.kind]
  const clientId = wish.wanted.client_id
  const first = hasSecret ? await newSecret(ports, { name: 'First secret', expiresAt: null }) : null
  const row = { clientId, metadata: checked.value, secrets: first === null ? [] : [first.stored] }
  const result = await createRow(clients, ports, row, call)
  if (result.kind === 'conflict') return invalid('client_id', idTaken)
  if (result.kind !== 'ok') return result
  return ok({ client_id: clientId, client_secret: first?.issued.secret ?? null })
}

const idTaken = 'Another client has this id.'

type Given = Partial<z.output<typeof inputSchema>> & { readonly kind: ClientKind }

/** The defaults of the kind, overwritten by the given fields. */
async function wishFor(ports: AdminPorts, { kind, client_id: wantedId, ...given }: Given) {
  const { hasRedirectUri, metadata } = kindAdvice[kind]
  const clientId = wantedId ?? newClientId(ports, given.client_name ?? '')
  const isTaken = wantedId !== undefined && (await ports.adminLists.client(wantedId)) !== null
  const lacksAddress = hasRedirectUri && given.redirect_uris?.length === 0
  return {
    wanted: { ...metadata, ...withoutEmpty(given), client_id: clientId },
    before: {},
    found: [
      ...errorFor('redirect_uris', lacksAddress ? 'Name at least one.' : null),
      ...errorFor('client_id', isTaken ? idTaken : null),
    ],
  }
}

/** What else is wrong where a field cannot be read. */
async function validate(ports: AdminPorts, raw: unknown): Promise<readonly FieldError[]> {
  const read = readableSchema.safeParse(raw)
  return read.success ? documentErrors(ports, await wishFor(ports, read.data)) : []
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
