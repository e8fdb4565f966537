/** The secrets with which a client proves who it is: several, named, shown once. */
import { z } from 'zod'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { type AdminResult, ok } from '../admin-result.ts'
import {
  alsoPastEnd,
  type IssuedSecret,
  issuedSecretSchema,
  newSecret,
  overlapHoursSchema,
  pastEnd,
  secretEndSchema,
  secretNameSchema,
} from '../secrets/new-secret.ts'
import { addSecret, expireNow, removeSecret, rotateWithOverlap } from '../secrets/secret-list.ts'
import { defineUseCase } from '../use-case.ts'
import { changeClient } from './change-client.ts'
import { type ClientView, clientViewSchema } from './client-document.ts'

const clientSecret = z.object({ client_id: clientIdSchema, secret_id: z.string().min(1).max(100) })

export const addClientSecret = defineUseCase({
  name: 'clients.add_secret',
  permission: 'clients:secrets',
  summary: 'Gives a client one more secret. It is in the answer and never again.',
  done: 'Secret created.',
  isSensitive: true,
  isShownOnce: true,
  input: z.object({ client_id: clientIdSchema, secret_name: secretNameSchema, expires_at: secretEndSchema }),
  output: issuedSecretSchema,
  alsoWrong: alsoPastEnd,
  api: { method: 'POST', path: '/clients/{client_id}/secrets', status: 201 },
  run: async (ports, { client_id: clientId, secret_name: name, expires_at: expiresAt }, deed) => {
    const refusal = pastEnd(expiresAt, deed.now)
    if (refusal !== null) return refusal
    const { issued, stored } = await newSecret(ports, { name, expiresAt })
    const alterSecrets = (secrets: Parameters<typeof addSecret>[0]) => addSecret(secrets, stored)
    return answering(issued, await changeClient(ports, { clientId, version: null, alterSecrets }, deed))
  },
})

export const rotateClientSecret = defineUseCase({
  name: 'clients.rotate_secret',
  permission: 'clients:secrets',
  summary: 'Replaces a secret; for some hours both are good.',
  done: 'Secret rotated.',
  isSensitive: true,
  isShownOnce: true,
  input: clientSecret.extend({ overlap_hours: overlapHoursSchema, expires_at: secretEndSchema }),
  output: issuedSecretSchema,
  alsoWrong: alsoPastEnd,
  api: { method: 'POST', path: '/clients/{client_id}/secrets/{secret_id}/rotate', status: 201 },
  run: async (
    ports,
    { client_id: clientId, secret_id: replaced, overlap_hours: overlapHours, ...wanted },
    deed,
  ) => {
    const refusal = pastEnd(wanted.expires_at, deed.now)
    if (refusal !== null) return refusal
    const known = (await ports.adminLists.client(clientId))?.secrets.find(({ id }) => id === replaced)
    const made = await newSecret(ports, { name: known?.name ?? null, expiresAt: wanted.expires_at })
    const rotation = { replaced, successor: made.stored, overlapHours }
    const alterSecrets = (secrets: Parameters<typeof addSecret>[0]) =>
      rotateWithOverlap(secrets, rotation, deed.now)
    return answering(made.issued, await changeClient(ports, { clientId, version: null, alterSecrets }, deed))
  },
})

export const expireClientSecret = defineUseCase({
  name: 'clients.expire_secret',
  permission: 'clients:secrets',
  summary: 'Ends a secret at once; it stays in the list.',
  done: 'Secret ended. It opens nothing any more.',
  isSensitive: true,
  input: clientSecret,
  output: clientViewSchema,
  api: { method: 'POST', path: '/clients/{client_id}/secrets/{secret_id}/expire' },
  run: (ports, { client_id: clientId, secret_id: id }, deed) =>
    changeClient(
      ports,
      { clientId, version: null, alterSecrets: secrets => expireNow(secrets, id, deed.now) },
      deed,
    ),
})

export const removeClientSecret = defineUseCase({
  name: 'clients.remove_secret',
  permission: 'clients:secrets',
  summary: 'Removes a secret, which opens nothing from then on.',
  done: 'Secret removed.',
  isSensitive: true,
  input: clientSecret,
  output: clientViewSchema,
  api: { method: 'DELETE', path: '/clients/{client_id}/secrets/{secret_id}' },
  run: (ports, { client_id: clientId, secret_id: id }, deed) =>
    changeClient(
      ports,
      { clientId, version: null, alterSecrets: secrets => removeSecret(secrets, id) },
      deed,
    ),
})

function answering(issued: IssuedSecret, changed: AdminResult<ClientView>): AdminResult<IssuedSecret> {
  return changed.kind === 'ok' ? ok(issued) : changed
}
