/**
 * Additional fields of the sign-in form, which the extensions define: their names in the form, and the values that the user
 * entered.
 */
import { signInFields as limits } from '#lib/config/limits.ts'
import type { SignInField } from '#lib/ports/extensions.ts'
import type { SignInHints } from '#lib/ports/users.ts'

export type { SignInField }

export type EnteredFields = NonNullable<SignInHints['fields']>

const prefix = 'field_'

/** Returns the name in the form. No other field of the form, and no parameter, has this prefix. */
export function inputNameOf({ name }: Pick<SignInField, 'name'>): string {
  return `${prefix}${name}`
}

/**
 * Returns the values of the posted form without surrounding spaces. Empty values, and fields that are not defined, are
 * left out.
 */
export function enteredFields(
  fields: readonly SignInField[],
  form: Readonly<Record<string, string>>,
): EnteredFields {
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = form[inputNameOf(field)]?.trim() ?? ''
      return value === '' ? [] : [[field.name, value] as const]
    }),
  )
}

/** Whether every required field has a value, and every value has the format of its field. */
export function areAcceptable(fields: readonly SignInField[], entered: EnteredFields): boolean {
  return fields.every(({ name, type, required = false }) => {
    const value = entered[name]
    if (value === undefined) return !required
    if (value.length > limits.characters || /\p{Cc}/u.test(value) || !value.isWellFormed()) return false
    return type !== 'number' || /^\d+$/.test(value)
  })
}

/**
 * Returns the names of the fields to mark after a refusal. Passwords are not kept, so they are marked only if all other
 * values are acceptable.
 */
export function fieldsToMark(fields: readonly SignInField[], entered: EnteredFields): readonly string[] {
  const wrong = fields.filter(field => field.type !== 'password' && !areAcceptable([field], entered))
  return (wrong.length > 0 ? wrong : fields.filter(({ type }) => type === 'password')).map(({ name }) => name)
}

/** Returns the values without passwords. */
export function withoutPasswords(fields: readonly SignInField[], entered: EnteredFields): EnteredFields {
  const passwords = new Set(fields.filter(({ type }) => type === 'password').map(({ name }) => name))
  return Object.fromEntries(Object.entries(entered).filter(([name]) => !passwords.has(name)))
}

/** Returns the label in the language of the page, otherwise in English. */
export function labelOf({ label }: Pick<SignInField, 'label'>, locale: string): string {
  return typeof label === 'string' ? label : (label[locale] ?? label.en)
}
