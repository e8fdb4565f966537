/** Changing a client's registration document. */
import { z } from 'zod'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { ok } from '../admin-result.ts'
import { changedDocument, fieldsSchema } from '../resource/document-fields.ts'
import { changeRow } from '../resource/resource.ts'
import { versionSchema } from '../resource/resource-use-cases.ts'
import { defineUseCase } from '../use-case.ts'
import { clientViewSchema, documentOf, type StoredClient } from './client-document.ts'
import { clients } from './client-resource.ts'
import { metadataFromForm } from './form-metadata.ts'

export const updateClient = defineUseCase({
  name: 'clients.update',
  permission: 'clients:update',
  summary: 'Replaces the registration document of a client, or the fields of it that `fields` names.',
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
    metadata: metadataFromForm(fields),
    fields: Object.keys(fields).filter(name => name in clientMetadataFields),
  }),
  api: { method: 'PUT', path: '/clients/{client_id}' },
  run: (ports, { client_id: id, version, metadata, fields }, call) => {
    const alter = (stored: StoredClient) =>
      ok({ ...stored, metadata: changedDocument(documentOf(stored), metadata, fields) })
    return changeRow(clients, ports, { id, version, alter }, call)
  },
})
