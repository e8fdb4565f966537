/** The fixes for the usual refusals, each one small addition: a redirect URI, a scope, a grant type. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { type ClientMetadataRead, clientMetadataSchema } from '#lib/protocol/client-metadata.ts'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { scopeWords } from '#lib/protocol/scope.ts'
import { notFound } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'
import { changeClient } from './change-client.ts'
import { clientViewSchema } from './client-document.ts'

type Added = Readonly<Record<string, JsonValue>>

export const addRedirectUri = defineUseCase({
  name: 'clients.add_redirect_uri',
  permission: 'clients:update',
  summary: 'Registers one more redirect URI.',
  done: 'Redirect URI added. The app can try again now.',
  input: z.object({ client_id: clientIdSchema, redirect_uri: z.string().min(1).max(2000) }),
  output: clientViewSchema,
  api: { method: 'POST', path: '/clients/{client_id}/redirect-uris' },
  run: (ports, { client_id: clientId, redirect_uri: uri }, deed) =>
    changeClient(
      ports,
      {
        clientId,
        version: null,
        alter: adding(({ redirect_uris: uris }) => ({ redirect_uris: withOne(uris, uri) })),
      },
      deed,
    ),
})

export const allowScope = defineUseCase({
  name: 'clients.allow_scope',
  permission: 'clients:update',
  summary: 'Lets a client ask for one more scope.',
  done: 'Scope allowed. The app can try again now.',
  input: z.object({ client_id: clientIdSchema, scope: scopeNameSchema }),
  output: clientViewSchema,
  api: { method: 'POST', path: '/clients/{client_id}/scopes' },
  run: async (ports, { client_id: clientId, scope: name }, deed) => {
    if ((await ports.scopes.find(name)) === null) return notFound
    const alter = adding(({ scope }) => ({ scope: withOne(scopeWords(scope), name).join(' ') }))
    return changeClient(ports, { clientId, version: null, alter }, deed)
  },
})

export const allowGrantType = defineUseCase({
  name: 'clients.allow_grant_type',
  permission: 'clients:update',
  summary: 'Lets a client use one more grant type.',
  done: 'Grant type allowed. The app can try again now.',
  input: z.object({ client_id: clientIdSchema, grant_type: z.string().min(1).max(200) }),
  output: clientViewSchema,
  api: { method: 'POST', path: '/clients/{client_id}/grant-types' },
  run: (ports, { client_id: clientId, grant_type: grantType }, deed) => {
    const alter = adding(({ grant_types: types }) => ({ grant_types: withOne(types, grantType) }))
    return changeClient(ports, { clientId, version: null, alter }, deed)
  },
})

/** The document with a few fields set anew, from what it says with its defaults. */
function adding(add: (read: ClientMetadataRead) => Added): (document: Added) => Added {
  return document => ({ ...document, ...add(clientMetadataSchema.parse(document)) })
}

function withOne(list: readonly string[], one: string): string[] {
  return [...new Set([...list, one])]
}
