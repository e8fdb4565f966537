/** Where the browser goes after a form: on with a word of success, or back with what is wrong and nothing lost. */

import type { SignedInAdmin } from '#lib/admin/access/admin-session.ts'
import { adminPath } from '#lib/admin/access/departure.ts'
import { keepFlash } from '#lib/admin/access/flash.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { AdminResult, FieldError } from '#lib/admin/admin-result.ts'
import type { FormFields, UseCase } from '#lib/admin/use-case.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { freshSignInPath } from '../sign-in/sign-in-path.ts'
import type { PostedForm } from './posted-form.ts'

export type Answered = {
  readonly session: SignedInAdmin['session']
  readonly useCase: UseCase
  readonly form: PostedForm
  readonly result: AdminResult<unknown>
}

/** @throws OauthError `access_denied` or `not_found`, which become pages with their status */
export async function answerForm(ports: AdminPorts, answered: Answered): Promise<string> {
  const { form, result } = answered
  switch (result.kind) {
    case 'ok':
      return afterSuccess(ports, answered, result.value)
    case 'invalid':
      return withQuery(form.back, { draft: await keepDraft(ports, answered, { errors: result.errors }) })
    case 'conflict': {
      const conflict = { reason: result.reason, current: result.current }
      return withQuery(form.back, { draft: await keepDraft(ports, answered, { conflict }) })
    }
    case 'step_up': {
      const secrets = onlySecrets(form.fields)
      return freshSignInPath(withQuery(form.back, { draft: await keepDraft(ports, answered, { secrets }) }))
    }
    case 'denied':
      throw new OauthError('admin_not_allowed', { description: result.reason })
    case 'not_found':
      throw new OauthError('admin_target_unknown')
  }
}

async function afterSuccess(
  ports: AdminPorts,
  { session, useCase, form }: Answered,
  value: unknown,
): Promise<string> {
  // WF-07: what was made may be called ".."
  const address = adminPath(filled(form.next, value))
  if (!useCase.isShownOnce) return withQuery(address, { done: useCase.name })
  const json = JSON.parse(JSON.stringify(value))
  const shown = await keepFlash(ports, session, { kind: 'answer', useCase: useCase.name, value: json })
  return withQuery(address, { shown })
}

function keepDraft(
  ports: AdminPorts,
  { session, useCase, form }: Answered,
  problem: {
    readonly errors?: readonly FieldError[]
    readonly secrets?: Record<string, string[]>
    readonly conflict?: { readonly reason: string; readonly current: JsonValue | null }
  },
): Promise<string> {
  return keepFlash(ports, session, {
    kind: 'draft',
    useCase: useCase.name,
    fields: withoutSecrets(form.fields),
    ...(problem.secrets === undefined ? {} : { secrets: problem.secrets }),
    errors: [...(problem.errors ?? [])],
    conflict: problem.conflict ?? null,
  })
}

/** What was typed, and is no password: sealed for as long as it takes to sign in again. */
function onlySecrets(fields: FormFields): Record<string, string[]> {
  const typed = Object.entries(fields).filter(
    ([name, values]) => /secret$/.test(name) && values.at(-1) !== '',
  )
  return Object.fromEntries(typed.map(([name, values]) => [name, [...values]]))
}

/** What a person types to prove something is asked for again. */
function withoutSecrets(fields: FormFields): Record<string, string[]> {
  const kept = Object.entries(fields).filter(([name]) => !/password|secret$/.test(name))
  return Object.fromEntries(kept.map(([name, values]) => [name, [...values]]))
}

function filled(address: string, value: unknown): string {
  const parts: object = typeof value === 'object' && value !== null ? value : {}
  return address.replace(/\{(\w+)\}|%7B(\w+)%7D/gi, (_all, plain, encoded) =>
    encodeURIComponent(String(Reflect.get(parts, plain ?? encoded) ?? '')),
  )
}

function withQuery(address: string, more: Readonly<Record<string, string>>): string {
  const url = new URL(address, 'http://origin.invalid')
  for (const name of ['draft', 'done', 'shown']) url.searchParams.delete(name)
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value)
  return `${url.pathname}${url.search}`
}
