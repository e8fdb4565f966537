/** Switching a client off and on. Off, nothing is issued to it any more, and what it holds ends for good; consents stay. */
import { z } from 'zod'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { defineUseCase } from '../use-case.ts'
import { changeClient } from './change-client.ts'
import { clientViewSchema } from './client-document.ts'

export const setClientEnabled = defineUseCase({
  name: 'clients.set_enabled',
  permission: 'clients:update',
  summary: 'Enables or disables a client. What was issued to it ends when it is disabled.',
  done: 'Client saved.',
  input: z.object({ client_id: clientIdSchema, enabled: z.stringbool().or(z.boolean()) }),
  output: clientViewSchema,
  api: { method: 'POST', path: '/clients/{client_id}/enabled' },
  run: (ports, { client_id: clientId, enabled }, deed) =>
    changeClient(ports, { clientId, version: null, alter: document => ({ ...document, enabled }) }, deed),
})
