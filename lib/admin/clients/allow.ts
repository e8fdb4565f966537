/**
 * The fixes for the usual refusals, each one small addition: a redirect URI, a scope, a grant type. A redirect URI
 * decides where the codes of every user go, so that it requires a fresh sign-in as secrets do.
 */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { type ClientMetadataRead, clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { notFound, ok } from '../admin-result.ts'
import { changeRow } from '../resource/resource.ts'
import { defineUseCase } from '../use-case.ts'
import { clientViewSchema, documentOf, type StoredClient } from './client-document.ts'
import { clients } from './client-resource.ts'

const clientUpdate = { permission: 'clients:update', output: clientViewSchema } as const

export const addRedirectUri = defineUseCase({
  ...clientUpdate,
  name: 'clients.add_redirect_uri',
  summary: 'Registers one more redirect URI.',
  done: 'Redirect URI added. The client can try again now.',
  isSensitive: true,
  input: z.object({ client_id: clientIdSchema, redirect_uri: z.string().min(1).max(2000) }),
  api: { method: 'POST', path: '/clients/{client_id}/redirect-uris' },
  run: (ports, { client_id: id, redirect_uri: uri }, call) => {
    const alter = adding(({ redirect_uris: uris }) => ({ redirect_uris: withOne(uris, uri) }))
    return changeRow(clients, ports, { id, version: null, alter }, call)
  },
})

export const allowScope = defineUseCase({
  ...clientUpdate,
  name: 'clients.allow_scope',
  summary: 'Lets a client ask for one more scope.',
  done: 'Scope allowed. The app can try again now.',
  input: z.object({ client_id: clientIdSchema, scope: scopeNameSchema }),
  api: { method: 'POST', path: '/clients/{client_id}/scopes' },
  run: async (ports, { client_id: id, scope: name }, call) => {
    if ((await ports.scopes.find(name)) === null) return notFound
    const alter = adding(({ scope }) => ({ scope: withOne(scopeWords(scope), name).join(' ') }))
    return changeRow(clients, ports, { id, version: null, alter }, call)
  },
})

export const allowGrantType = defineUseCase({
  ...clientUpdate,
  name: 'clients.allow_grant_type',
  summary: 'Lets a client use one more grant type.',
  done: 'Grant type allowed. The app can try again now.',
  input: z.object({ client_id: clientIdSchema, grant_type: z.string().min(1).max(200) }),
  api: { method: 'POST', path: '/clients/{client_id}/grant-types' },
  run: (ports, { client_id: id, grant_type: grantType }, call) => {
    const alter = adding(({ grant_types: types }) => ({ grant_types: withOne(types, grantType) }))
    return changeRow(clients, ports, { id, version: null, alter }, call)
  },
})

/** Sets a few fields, from what the document says with its defaults. */
function adding(add: (read: ClientMetadataRead) => Readonly<Record<string, JsonValue>>) {
  return (stored: StoredClient) => {
    const document = documentOf(stored)
    return ok({ ...stored, metadata: { ...document, ...add(clientMetadataSchema.parse(document)) } })
  }
}

function withOne(list: readonly string[], one: string): string[] {
  return [...new Set([...list, one])]
}
