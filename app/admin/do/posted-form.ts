/** Reads a posted form of the dashboard, and finds the page that follows. */
import {
  type PageState,
  pageStateParameters,
  type SignedInAdmin,
  storePageState,
} from '#lib/admin/access/admin-session.ts'
import { adminPath } from '#lib/admin/access/sign-in.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import { pageSegment } from '#lib/admin/page-paths.ts'
import type { FormFields, UseCase } from '#lib/admin/use-case.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Pairs } from '#lib/http/read-params.ts'
import { parametersOf } from '#lib/protocol/wire/parameters.ts'
import { freshSignInPath } from '../sign-in/sign-in-path.ts'

export type PostedForm = {
  readonly fields: FormFields
  /** The path and query of the page with the form. */
  readonly back: string
  /** The next page, with parts of the result in braces: `/admin/clients/{client_id}`. */
  readonly next: string
  /** The handle of the rejected form, which may have secrets that were entered before. */
  readonly rejectedForm: string | null
}

export function readPostedForm(pairs: Pairs): PostedForm {
  const sent = parametersOf(pairs.filter(([name]) => !name.startsWith('_')))
  const fields = Object.fromEntries(sent.names.map(name => [name, sent.all(name)]))
  const given = Object.fromEntries(
    pairs.filter(([name]) => ['_back', '_next', '_rejected_form'].includes(name)),
  )
  const back = adminPath(given._back ?? null)
  const next = adminPath(given._next ?? back)
  return { fields, back, next, rejectedForm: given._rejected_form ?? null }
}

/** Returns an empty form for a use case that a callback runs, without a posted form. `next` is the page that shows its result. */
export function formOf(next: string): PostedForm {
  return { fields: {}, back: next, next, rejectedForm: null }
}

/** Fills empty fields with the secrets that were entered before a fresh sign-in. */
export function withSecrets(form: PostedForm, typed: FormFields): PostedForm {
  const missing = Object.entries(typed).filter(([name]) => (form.fields[name]?.at(-1) ?? '') === '')
  return { ...form, fields: { ...form.fields, ...Object.fromEntries(missing) } }
}

export type Answered = {
  readonly session: SignedInAdmin['session']
  readonly useCase: UseCase
  readonly form: PostedForm
  readonly result: AdminResult<unknown>
}

type RejectedState = Extract<PageState, { kind: 'rejected_form' }>

/**
 * Returns the address of the page that follows.
 * @throws OauthError `access_denied` or `not_found`, which become pages with their status
 */
export async function respondToForm(ports: AdminPorts, answered: Answered): Promise<string> {
  const { session, useCase, form, result } = answered
  const returned = async (why: Partial<RejectedState>) => {
    const handle = await storePageState(ports, session, {
      kind: 'rejected_form',
      useCase: useCase.name,
      fields: fieldsOfKind(form.fields, 'plain'),
      errors: [],
      conflict: null,
      ...why,
    })
    return withQuery(form.back, { rejected_form: handle })
  }
  switch (result.kind) {
    case 'ok':
      return afterSuccess(ports, answered, result.value)
    case 'invalid':
      return returned({ errors: [...result.errors] })
    case 'conflict':
      return returned({ conflict: { reason: result.reason, current: result.current } })
    case 'fresh_sign_in_required':
      return freshSignInPath(await returned({ secrets: enteredSecrets(form.fields) }))
    case 'denied':
      throw new OauthError('admin_not_allowed', { description: result.reason })
    case 'not_found':
      throw new OauthError('admin_target_unknown', {
        description: 'It no longer exists. Nothing was changed.',
      })
  }
}

async function afterSuccess(
  ports: AdminPorts,
  { session, useCase, form }: Answered,
  value: unknown,
): Promise<string> {
  const elsewhere = useCase.leadsTo(value)
  if (elsewhere !== null) return elsewhere
  // WF-07: the address is checked again, since a new object may have the name ".."
  const address = adminPath(filled(form.next, value))
  if (!useCase.isShownOnce) return withQuery(address, { done: useCase.name })
  const json = JSON.parse(JSON.stringify(value))
  const handle = await storePageState(ports, session, {
    kind: 'one_time_result',
    useCase: useCase.name,
    value: json,
  })
  return withQuery(address, { one_time_result: handle })
}

/**
 * The kind of a field. Passwords must be entered again. Secrets are stored sealed during a fresh sign-in, and are never shown.
 */
function fieldKind(name: string): 'password' | 'secret' | 'plain' {
  if (name.endsWith('password')) return 'password'
  return name.endsWith('secret') ? 'secret' : 'plain'
}

function enteredSecrets(fields: FormFields): Record<string, string[]> {
  const entered = Object.entries(fieldsOfKind(fields, 'secret'))
  return Object.fromEntries(entered.filter(([, values]) => values.at(-1) !== ''))
}

function fieldsOfKind(fields: FormFields, kind: ReturnType<typeof fieldKind>): Record<string, string[]> {
  const kept = Object.entries(fields).filter(([name]) => fieldKind(name) === kind)
  return Object.fromEntries(kept.map(([name, values]) => [name, [...values]]))
}

function filled(address: string, value: unknown): string {
  const parts: object = typeof value === 'object' && value !== null ? value : {}
  return address.replace(/\{(\w+)\}|%7B(\w+)%7D/gi, (_all, plain, encoded) =>
    pageSegment(String(Reflect.get(parts, plain ?? encoded) ?? '')),
  )
}

function withQuery(address: string, more: Readonly<Record<string, string>>): string {
  const url = new URL(address, 'http://origin.invalid')
  for (const name of pageStateParameters) url.searchParams.delete(name)
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value)
  return `${url.pathname}${url.search}`
}
