/** A form of the dashboard as it was posted: its fields, where it stands, and where to go when it worked. */
import { adminPath } from '#lib/admin/access/departure.ts'
import type { FormFields } from '#lib/admin/use-case.ts'
import type { Pairs } from '#lib/http/read-params.ts'

export type PostedForm = {
  readonly fields: FormFields
  /** The page of the form, path and query. */
  readonly back: string
  /** May name parts of the answer in braces: `/admin/clients/{clientId}`. */
  readonly next: string
  /** The draft that the form stands in, which may hold secrets typed before. */
  readonly draft: string | null
}

export function readPostedForm(pairs: Pairs): PostedForm {
  const fields = new Map<string, readonly string[]>()
  for (const [name, value] of pairs) {
    if (!name.startsWith('_')) fields.set(name, [...(fields.get(name) ?? []), value])
  }
  const given = Object.fromEntries(pairs.filter(([name]) => ['_back', '_next', '_draft'].includes(name)))
  const back = adminPath(given._back ?? null)
  const next = adminPath(given._next ?? back)
  return { fields: Object.fromEntries(fields), back, next, draft: given._draft ?? null }
}

/** With what was typed before, where nothing is typed now. */
export function withSecrets(form: PostedForm, typed: FormFields): PostedForm {
  const missing = Object.entries(typed).filter(([name]) => (form.fields[name]?.at(-1) ?? '') === '')
  return { ...form, fields: { ...form.fields, ...Object.fromEntries(missing) } }
}
