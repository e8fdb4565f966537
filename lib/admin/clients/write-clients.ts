/** Creates clients with the defaults of their kind, changes, disables, deletes and restores them, and manages their secrets. */
import { z } from 'zod'
import { clientNameCharacters } from '#lib/config/limits.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { type ClientId, clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import {
  type ClientMetadataRead,
  clientKindSchema,
  clientMetadataSchema,
} from '#lib/protocol/registration/client.ts'
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { errorFor, type FieldError, invalid, notFound, ok, prefixErrors } from '../admin-result.ts'
import { changedDocument, createRow, fieldsSchema, updateRow, versionSchema } from '../resource/resource.ts'
import { deleteUseCase, restoreUseCase, setEnabledUseCase } from '../resource/resource-use-cases.ts'
import { allOf, secretUseCases } from '../resource/secret-use-cases.ts'
import { newSecret } from '../resource/secrets.ts'
import { defineUseCase, type UseCase } from '../use-case.ts'
import { kindAdvice } from './client-defaults.ts'
import {
  clientErrors,
  clientForm,
  clients,
  clientViewSchema,
  readClient,
  type StoredClient,
  storedDocument,
} from './client-resource.ts'
import { beginClientTest } from './client-test/begin-client-test.ts'
import { finishClientTest } from './client-test/finish-client-test.ts'
import { exportClients, listClients } from './read-clients.ts'

const inputSchema = z.object({
  kind: clientKindSchema,
  metadata: z
    .record(z.string(), z.json())
    .describe(
      'The registration document. `client_name` is required; a field that is left out gets the default of the kind, and `client_id` is generated.',
    ),
})

export const createClient = defineUseCase({
  name: 'clients.create',
  permission: 'clients:create',
  isSensitive: true,
  isShownOnce: true,
  summary:
    'Registers a client of one kind, with the defaults of that kind. The response contains its secret, once.',
  done: 'Client created.',
  input: inputSchema,
  output: z.object({ client_id: z.string(), client_secret: z.string().nullable() }),
  fromForm: ({ kind, client_id, always_include_user_claims_in_id_token: inIdToken, ...fields }) => ({
    kind: kind?.at(-1),
    metadata: withoutEmpty({
      ...clientForm.documentOf(fields),
      client_id: client_id?.at(-1)?.trim() || undefined,
      always_include_user_claims_in_id_token: inIdToken?.at(-1) === 'true' || undefined,
    }),
  }),
  validate: async (ports, raw) => {
    const read = inputSchema.safeParse(raw)
    return read.success ? creationErrors(ports, await proposedClient(ports, read.data)) : []
  },
  api: { method: 'POST', path: '/clients', status: 201, readEarlierBody },
  run: async (ports, input, call) => {
    const proposed = await proposedClient(ports, input)
    const errors = await creationErrors(ports, proposed)
    if (errors.length > 0) return { kind: 'invalid', errors }
    const document: ClientDocument = proposed.document
    const clientId = clientIdSchema.parse(document.client_id)
    const hasSecret = document.token_endpoint_auth_method !== 'none'
    const first = hasSecret ? await newSecret(ports, { name: 'First secret', expiresAt: null }) : null
    const row = { clientId, metadata: document, secrets: first === null ? [] : [first.stored] }
    const result = await createRow(clients, ports, row, call)
    if (result.kind === 'conflict') return invalid('metadata.client_id', idTaken)
    if (result.kind !== 'ok') return result
    return ok({ client_id: clientId, client_secret: first?.issued.secret ?? null })
  },
})

type ClientDocument = Readonly<Record<string, JsonValue>>

const idTaken = 'Another client has this ID.'

const earlierFields: readonly string[] = [
  'client_name',
  'client_id',
  'redirect_uris',
  'allowed_cors_origins',
  'scope',
  'always_include_user_claims_in_id_token',
]

/** Moves fields that a request of an earlier release has next to `kind` into `metadata`. They are read until 1.0. */
function readEarlierBody(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if ('metadata' in body) return body
  const metadata = Object.entries(body).filter(([name]) => earlierFields.includes(name))
  return { ...body, metadata: Object.fromEntries(metadata) }
}

/** Adds the defaults of the kind to the given document, and finds the errors that only a new client can have. */
async function proposedClient(ports: AdminPorts, { kind, metadata }: z.output<typeof inputSchema>) {
  const advice = kindAdvice[kind]
  const { client_id: id = newClientId(ports, metadata.client_name), redirect_uris: uris = [] } = metadata
  const given = clientIdSchema.safeParse(id)
  const isTaken = given.success && (await ports.adminLists.client(given.data)) !== null
  const needsRedirectUri = advice.hasRedirectUri && metadata.grant_types === undefined
  const lacksRedirectUri = needsRedirectUri && Array.isArray(uris) && uris.length === 0
  return {
    document: { ...advice.metadata, ...metadata, client_id: id },
    before: {},
    found: [
      ...errorFor('client_name', metadata.client_name === undefined ? 'is missing' : null),
      ...errorFor('redirect_uris', lacksRedirectUri ? 'Name at least one.' : null),
      ...errorFor('client_id', isTaken ? idTaken : null),
    ],
  }
}

type Proposed = Awaited<ReturnType<typeof proposedClient>>

async function creationErrors(ports: AdminPorts, proposed: Proposed): Promise<readonly FieldError[]> {
  return prefixErrors('metadata', await clientErrors(ports, proposed))
}

/** Makes a client ID from the letters and digits of the name, with hyphens and a random end. */
function newClientId({ random }: Pick<AdminPorts, 'random'>, name: JsonValue = ''): ClientId {
  const words = (typeof name === 'string' ? name : '')
    .slice(0, clientNameCharacters)
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
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(kept)
}

export const updateClient = defineUseCase({
  name: 'clients.update',
  permission: 'clients:update',
  summary: 'Replaces the registration document of a client, or with `fields` only a part of it.',
  done: 'Client saved. The change also applies to requests in progress.',
  input: z.object({
    client_id: clientIdSchema,
    version: versionSchema,
    metadata: z.record(z.string(), z.json()),
    fields: fieldsSchema,
  }),
  output: clientViewSchema,
  fromForm: ({ client_id, version, ...fields }) => ({
    client_id: client_id?.at(-1),
    version: version?.at(-1),
    metadata: clientForm.documentOf(fields),
    fields: Object.keys(fields).filter(name => name in clientMetadataFields),
  }),
  api: { method: 'PUT', path: '/clients/{client_id}' },
  run: (ports, { client_id: id, version, metadata: given, fields }, call) => {
    const alter = (stored: StoredClient) => {
      const before = { ...storedDocument(stored), client_id: id }
      return ok({
        ...stored,
        metadata: changedDocument(before, { given, fields, schema: clientMetadataSchema }),
      })
    }
    return updateRow(clients, ports, { id, version, alter }, call)
  },
})

/**
 * Shared members of the use cases that fix common refusals by adding one value. NOTE: unlike the form of the client they require
 * a fresh sign-in: the value may come from a refused request, which anyone can send, and not from the admin.
 */
const addition = { permission: 'clients:update', isSensitive: true, output: clientViewSchema } as const

export const addRedirectUri = defineUseCase({
  ...addition,
  name: 'clients.add_redirect_uri',
  summary: 'Registers one more redirect URI.',
  done: 'Redirect URI added. The client can try again now.',
  input: z.object({ client_id: clientIdSchema, redirect_uri: z.string().min(1).max(2000) }),
  api: { method: 'POST', path: '/clients/{client_id}/redirect-uris' },
  run: (ports, { client_id: id, redirect_uri: uri }, call) => {
    const alter = addTo(({ redirect_uris: uris }) => ({ redirect_uris: withOne(uris, uri) }))
    return updateRow(clients, ports, { id, version: null, alter }, call)
  },
})

export const allowScope = defineUseCase({
  ...addition,
  name: 'clients.allow_scope',
  summary: 'Lets a client ask for one more scope.',
  done: 'Scope allowed. The client can try again now.',
  input: z.object({ client_id: clientIdSchema, scope: scopeNameSchema }),
  api: { method: 'POST', path: '/clients/{client_id}/scopes' },
  run: async (ports, { client_id: id, scope: name }, call) => {
    if ((await ports.scopes.find(name)) === null) return notFound
    const alter = addTo(({ scope }) => ({ scope: withOne(scopeWords(scope), name).join(' ') }))
    return updateRow(clients, ports, { id, version: null, alter }, call)
  },
})

const allowGrantType = defineUseCase({
  ...addition,
  name: 'clients.allow_grant_type',
  summary: 'Lets a client use one more grant type.',
  done: 'Grant type allowed. The client can try again now.',
  input: z.object({ client_id: clientIdSchema, grant_type: z.string().min(1).max(200) }),
  api: { method: 'POST', path: '/clients/{client_id}/grant-types' },
  run: (ports, { client_id: id, grant_type: grantType }, call) => {
    const alter = addTo(({ grant_types: types }) => ({ grant_types: withOne(types, grantType) }))
    return updateRow(clients, ports, { id, version: null, alter }, call)
  },
})

/** Changes fields of the stored document. `add` gets the document in which missing fields have their defaults. */
function addTo(add: (read: ClientMetadataRead) => Readonly<Record<string, JsonValue>>) {
  return (stored: StoredClient) => {
    const document = storedDocument(stored)
    return ok({ ...stored, metadata: { ...document, ...add(clientMetadataSchema.parse(document)) } })
  }
}

function withOne(list: readonly string[], one: string): string[] {
  return [...new Set([...list, one])]
}

/** Disabling keeps the consents. Enabling again restores nothing that was issued to the client. */
export const setClientEnabled = setEnabledUseCase(clients, {
  summary: 'Enables or disables a client. What was issued to it ends when it is disabled.',
  done: 'Client saved.',
})

export const deleteClient = deleteUseCase(clients, {
  summary: 'Deletes a client, the consents given to it, and every token issued to it.',
  done: 'Client deleted. Its tokens are no longer valid.',
  output: z.object({ client_id: z.string() }),
  plan: async (_ports, { stored }) => ok({ parts: [], value: { client_id: stored.clientId } }),
})

/** NOTE: a deleted client is restored without its secrets, and its tokens stay revoked. */
export const restoreClient = restoreUseCase(clients, {
  kind: 'client',
  permission: 'configuration:restore',
  summary:
    'Restores the document that a client had after an earlier change. Its secrets stay as they are; one that was deleted has none.',
  rowOf: (_ports, document, { id, stored }) =>
    ok({ clientId: id, metadata: { ...document, client_id: id }, secrets: stored?.secrets ?? [] }),
})

export const clientSecrets = secretUseCases(clients, {
  permission: 'clients:secrets',
  addSummary: 'Gives a client one more secret. It is in the answer, and never shown again.',
  withSecrets: (row, secrets) => ({ ...row, secrets }),
})

export const clientUseCases: readonly UseCase[] = [
  listClients,
  exportClients,
  readClient,
  createClient,
  updateClient,
  setClientEnabled,
  addRedirectUri,
  allowScope,
  allowGrantType,
  ...allOf(clientSecrets),
  deleteClient,
  restoreClient,
  beginClientTest,
  finishClientTest,
]
