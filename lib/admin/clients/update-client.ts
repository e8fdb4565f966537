/** Replacing a client's registration document as a whole. */
import { z } from 'zod'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { defineUseCase } from '../use-case.ts'
import { changeClient } from './change-client.ts'
import { clientViewSchema } from './client-document.ts'
import { metadataFromForm } from './form-metadata.ts'

export const updateClient = defineUseCase({
  name: 'clients.update',
  permission: 'clients:update',
  summary: 'Replaces the registration document of a client.',
  done: 'Client saved. Requests that are under way see it at once.',
  input: z.object({
    client_id: clientIdSchema,
    version: z.coerce.number().int(),
    metadata: z.record(z.string(), z.json()),
  }),
  output: clientViewSchema,
  fromForm: ({ client_id, version, ...fields }) => ({
    client_id: client_id?.at(-1),
    version: version?.at(-1),
    metadata: metadataFromForm(fields),
  }),
  api: { method: 'PUT', path: '/clients/{client_id}' },
  run: (ports, { client_id: clientId, version, metadata }, deed) =>
    changeClient(ports, { clientId, version, alter: () => metadata }, deed),
})
