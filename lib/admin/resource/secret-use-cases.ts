/** Use cases for the secrets with which a client or an API authenticates. A new secret is shown once. */
import { z } from 'zod'
import type { StoredSecret } from '#lib/ports/clients.ts'
import { successorName } from '#lib/protocol/registration/secret-succession.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, ok } from '../admin-result.ts'
import { type AdminCall, defineUseCase, type UseCase } from '../use-case.ts'
import {
  type IdInput,
  idIn,
  idShape,
  type Resource,
  type ResourceTypes,
  type StoredRow,
  updateRow,
} from './resource.ts'
import {
  addSecret,
  expireNow,
  type IssuedSecret,
  issuedSecretSchema,
  newSecret,
  overlapHoursSchema,
  pastEnd,
  removeSecret,
  rotateWithOverlap,
  type SecretList,
  secretEndSchema,
  secretNameSchema,
  validateEnd,
} from './secrets.ts'

/** A resource whose row has secrets. */
type WithSecrets = ResourceTypes & { readonly row: { readonly secrets: readonly StoredSecret[] } }

type SecretTexts<T extends WithSecrets> = {
  readonly permission: 'clients:secrets' | 'scopes:secrets'
  readonly addSummary: string
  readonly withSecrets: (row: T['row'], secrets: readonly StoredSecret[]) => T['row']
  /** Refuses one more secret for this object; `null` if it is possible. */
  readonly addRefusal?: (ports: AdminPorts, id: T['id']) => Promise<AdminResult<never> | null>
}

type OneSecret<T extends ResourceTypes> = IdInput<T> & { readonly secret_id: string }
type WantedEnd = { readonly expires_at?: string | null }

export type SecretUseCases<T extends WithSecrets> = {
  readonly add: UseCase<IdInput<T> & WantedEnd & { readonly secret_name: string }, IssuedSecret>
  readonly rotate: UseCase<OneSecret<T> & WantedEnd & { readonly overlap_hours: number }, IssuedSecret>
  readonly expire: UseCase<OneSecret<T>, T['view']>
  readonly remove: UseCase<OneSecret<T>, T['view']>
}

export function secretUseCases<T extends WithSecrets>(
  resource: Resource<T>,
  texts: SecretTexts<T>,
): SecretUseCases<T> {
  return {
    add: addUseCase(resource, texts),
    rotate: rotateUseCase(resource, texts),
    expire: endUseCase(resource, texts, {
      verb: 'expire',
      summary: 'Ends a secret immediately; it stays in the list.',
      done: 'Secret ended. It is no longer accepted.',
      api: { method: 'POST', suffix: '/expire' },
      alter: (secrets, id, now) => expireNow(secrets, id, now),
    }),
    remove: endUseCase(resource, texts, {
      verb: 'remove',
      summary: 'Removes a secret, which is no longer accepted from then on.',
      done: 'Secret removed.',
      api: { method: 'DELETE', suffix: '' },
      alter: (secrets, id) => removeSecret(secrets, id),
    }),
  }
}

/** The use cases in the order of the OpenAPI document. */
export function allOf<T extends WithSecrets>({
  add,
  rotate,
  expire,
  remove,
}: SecretUseCases<T>): readonly UseCase[] {
  return [add, rotate, expire, remove]
}

const shownOnce = { isSensitive: true, isShownOnce: true, validate: validateEnd } as const
const secretIdSchema = z.string().min(1).max(100)

function addUseCase<T extends WithSecrets>(resource: Resource<T>, texts: SecretTexts<T>) {
  const { area, idField } = resource
  return defineUseCase({
    ...shownOnce,
    name: `${area}.add_secret`,
    permission: texts.permission,
    summary: texts.addSummary,
    done: 'Secret created.',
    input: z.object({
      ...idShape(resource),
      secret_name: secretNameSchema,
      expires_at: secretEndSchema,
    }),
    output: issuedSecretSchema,
    api: { method: 'POST', path: `/${area}/{${idField}}/secrets`, status: 201 },
    run: async (ports, input, call) => {
      const { secret_name: name, expires_at: expiresAt } = input
      const id = idIn(resource, input)
      const refusal = pastEnd(expiresAt, call.now) ?? (await texts.addRefusal?.(ports, id)) ?? null
      if (refusal !== null) return refusal
      const { issued, stored } = await newSecret(ports, { name, expiresAt })
      const change = { id, alter: (secrets: SecretList) => addSecret(secrets, stored) }
      const changed = await changeSecrets(resource, texts, ports, change, call)
      return changed.kind === 'ok' ? ok(issued) : changed
    },
  })
}

function rotateUseCase<T extends WithSecrets>(resource: Resource<T>, texts: SecretTexts<T>) {
  const { area, idField } = resource
  return defineUseCase({
    ...shownOnce,
    name: `${area}.rotate_secret`,
    permission: texts.permission,
    summary: 'Replaces a secret; for some hours both are accepted.',
    done: 'Secret rotated.',
    input: z.object({
      ...idShape(resource),
      secret_id: secretIdSchema,
      overlap_hours: overlapHoursSchema,
      expires_at: secretEndSchema,
    }),
    output: issuedSecretSchema,
    api: { method: 'POST', path: `/${area}/{${idField}}/secrets/{secret_id}/rotate`, status: 201 },
    run: async (ports, input, call) => {
      const { secret_id: replaced, overlap_hours: overlapHours, expires_at: expiresAt } = input
      const refusal = pastEnd(expiresAt, call.now)
      if (refusal !== null) return refusal
      const id = idIn(resource, input)
      const secrets = (await resource.find(ports, id))?.secrets ?? []
      const known = secrets.find(secret => secret.id === replaced)
      const name = known === undefined ? null : successorName(secrets, known)
      const { issued, stored } = await newSecret(ports, { name, expiresAt })
      const rotation = { replaced, successor: stored, overlapHours }
      const change = { id, alter: (secrets: SecretList) => rotateWithOverlap(secrets, rotation, call.now) }
      const changed = await changeSecrets(resource, texts, ports, change, call)
      return changed.kind === 'ok' ? ok(issued) : changed
    },
  })
}

type Ending = {
  readonly verb: 'expire' | 'remove'
  readonly summary: string
  readonly done: string
  readonly api: { readonly method: 'POST' | 'DELETE'; readonly suffix: string }
  readonly alter: (secrets: SecretList, id: string, now: Date) => AdminResult<SecretList>
}

function endUseCase<T extends WithSecrets>(
  resource: Resource<T>,
  texts: SecretTexts<T>,
  { verb, summary, done, api, alter }: Ending,
) {
  const { area, idField, viewSchema } = resource
  return defineUseCase({
    name: `${area}.${verb}_secret`,
    permission: texts.permission,
    summary,
    done,
    isSensitive: true,
    input: z.object({ ...idShape(resource), secret_id: secretIdSchema }),
    output: viewSchema,
    api: { method: api.method, path: `/${area}/{${idField}}/secrets/{secret_id}${api.suffix}` },
    run: (ports, input, call) => {
      const change = {
        id: idIn(resource, input),
        alter: (secrets: SecretList) => alter(secrets, String(input.secret_id), call.now),
      }
      return changeSecrets(resource, texts, ports, change, call)
    },
  })
}

function changeSecrets<T extends WithSecrets>(
  resource: Resource<T>,
  { withSecrets }: SecretTexts<T>,
  ports: AdminPorts,
  { id, alter }: { readonly id: T['id']; readonly alter: (secrets: SecretList) => AdminResult<SecretList> },
  call: AdminCall,
): Promise<AdminResult<T['view']>> {
  const altered = (stored: StoredRow<T>): AdminResult<T['row']> => {
    const changed = alter(stored.secrets)
    return changed.kind === 'ok' ? ok(withSecrets(stored, changed.value)) : changed
  }
  return updateRow(resource, ports, { id, version: null, alter: altered }, call)
}
