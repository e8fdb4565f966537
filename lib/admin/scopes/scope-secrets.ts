/** The secrets with which the API behind a resource scope introspects tokens. */
import { z } from 'zod'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, ok } from '../admin-result.ts'
import {
  alsoPastEnd,
  type IssuedSecret,
  issuedSecretSchema,
  newSecret,
  overlapHoursSchema,
  pastEnd,
  secretEndSchema,
  secretNameSchema,
  secretRefusal,
} from '../secrets/new-secret.ts'
import {
  addSecret,
  expireNow,
  removeSecret,
  rotateWithOverlap,
  type SecretListChange,
} from '../secrets/secret-list.ts'
import { defineUseCase } from '../use-case.ts'
import { changeScope, type ScopeState } from './change-scope.ts'
import { type ScopeView, scopeViewSchema } from './scope-document.ts'

const scopeSecret = z.object({ name: scopeNameSchema, secret_id: z.string().min(1).max(100) })

export const addScopeSecret = defineUseCase({
  name: 'scopes.add_secret',
  permission: 'scopes:secrets',
  summary:
    'Gives the API of a resource scope one more secret to introspect with. It is in the answer and never again.',
  done: 'Secret created.',
  isSensitive: true,
  isShownOnce: true,
  input: z.object({ name: scopeNameSchema, secret_name: secretNameSchema, expires_at: secretEndSchema }),
  output: issuedSecretSchema,
  alsoWrong: alsoPastEnd,
  api: { method: 'POST', path: '/scopes/{name}/secrets', status: 201 },
  run: async (ports, { name, secret_name: secretName, expires_at: expiresAt }, deed) => {
    const refusal = pastEnd(expiresAt, deed.now) ?? (await nameRefusal(ports, name))
    if (refusal !== null) return refusal
    const { issued, stored } = await newSecret(ports, { name: secretName, expiresAt })
    const plan = secretPlan(secrets => addSecret(secrets, stored))
    return answering(issued, await changeScope(ports, { name, version: null, plan }, deed))
  },
})

export const rotateScopeSecret = defineUseCase({
  name: 'scopes.rotate_secret',
  permission: 'scopes:secrets',
  summary: 'Replaces a secret; for some hours both are good.',
  done: 'Secret rotated.',
  isSensitive: true,
  isShownOnce: true,
  input: scopeSecret.extend({ overlap_hours: overlapHoursSchema, expires_at: secretEndSchema }),
  output: issuedSecretSchema,
  alsoWrong: alsoPastEnd,
  api: { method: 'POST', path: '/scopes/{name}/secrets/{secret_id}/rotate', status: 201 },
  run: async (ports, { name, secret_id: replaced, overlap_hours: overlapHours, ...wanted }, deed) => {
    const refusal = pastEnd(wanted.expires_at, deed.now)
    if (refusal !== null) return refusal
    const registered = await ports.adminLists.scope(name)
    const known = registered?.secrets.find(({ id }) => id === replaced)
    const made = await newSecret(ports, { name: known?.name ?? null, expiresAt: wanted.expires_at })
    const rotation = { replaced, successor: made.stored, overlapHours }
    const plan = secretPlan(secrets => rotateWithOverlap(secrets, rotation, deed.now))
    return answering(made.issued, await changeScope(ports, { name, version: null, plan }, deed))
  },
})

export const expireScopeSecret = defineUseCase({
  name: 'scopes.expire_secret',
  permission: 'scopes:secrets',
  summary: 'Ends a secret at once; it stays in the list.',
  done: 'Secret ended. It opens nothing any more.',
  isSensitive: true,
  input: scopeSecret,
  output: scopeViewSchema,
  api: { method: 'POST', path: '/scopes/{name}/secrets/{secret_id}/expire' },
  run: (ports, { name, secret_id: id }, deed) => {
    const plan = secretPlan(secrets => expireNow(secrets, id, deed.now))
    return changeScope(ports, { name, version: null, plan }, deed)
  },
})

export const removeScopeSecret = defineUseCase({
  name: 'scopes.remove_secret',
  permission: 'scopes:secrets',
  summary: 'Removes a secret, which opens nothing from then on.',
  done: 'Secret removed.',
  isSensitive: true,
  input: scopeSecret,
  output: scopeViewSchema,
  api: { method: 'DELETE', path: '/scopes/{name}/secrets/{secret_id}' },
  run: (ports, { name, secret_id: id }, deed) => {
    const plan = secretPlan(secrets => removeSecret(secrets, id))
    return changeScope(ports, { name, version: null, plan }, deed)
  },
})

function secretPlan(alter: (secrets: ScopeState['secrets']) => SecretListChange) {
  return ({ document, secrets }: ScopeState): AdminResult<ScopeState> => {
    const changed = alter(secrets)
    return changed.kind === 'changed'
      ? ok({ document, secrets: changed.secrets })
      : secretRefusal(changed.kind)
  }
}

function answering(issued: IssuedSecret, changed: AdminResult<ScopeView>): AdminResult<IssuedSecret> {
  return changed.kind === 'ok' ? ok(issued) : changed
}

/** Only APIs introspect; and under a client's name it could not be told who asks. */
async function nameRefusal(ports: AdminPorts, name: string): Promise<AdminResult<never> | null> {
  const stored = await ports.scopes.find(scopeNameSchema.parse(name))
  if (stored?.scope.kind === 'identity')
    return invalid('', 'An identity scope stands for no API, so nobody would introspect with its secret.')
  const clientId = clientIdSchema.safeParse(name)
  const client = clientId.success ? await ports.clients.find(clientId.data) : null
  return client === null
    ? null
    : invalid('', `The client "${name}" introspects under that name. Use the client's secret.`)
}
