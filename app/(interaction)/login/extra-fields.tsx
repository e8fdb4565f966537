/** The fields that an extension has added to the sign-in form. */
import { PasswordField, TextField } from '#app/_ui/fields.tsx'
import { signInFields } from '#lib/config/limits.ts'
import {
  type EnteredFields,
  fieldsToMark,
  inputNameOf,
  labelOf,
  type SignInField,
} from '#lib/identity/sign-in-fields.ts'
import type { Frame } from '#lib/pages/frame.ts'
import type { Problem } from './sign-in-parts.tsx'

type ExtraFieldsProps = {
  readonly frame: Frame
  readonly fields: readonly SignInField[]
  /** The values that the user entered before. */
  readonly entered: EnteredFields
  readonly problem: Problem | null
}

export function ExtraFields({ frame, fields, entered, problem }: ExtraFieldsProps) {
  const marked = problem?.kind === 'fields' ? fieldsToMark(fields, entered) : []
  return fields.map(field => (
    <ExtraField
      key={field.name}
      frame={frame}
      field={field}
      value={entered[field.name]}
      isWrong={marked.includes(field.name)}
    />
  ))
}

type ExtraFieldProps = Pick<ExtraFieldsProps, 'frame'> & {
  readonly field: SignInField
  readonly value: string | undefined
  readonly isWrong: boolean
}

function ExtraField({ frame: { t, locale }, field, value, isWrong }: ExtraFieldProps) {
  const { type = 'text', required = false } = field
  const text = labelOf(field, locale)
  const shared = {
    id: inputNameOf(field),
    label: required ? text : t('login.optional', { label: text }),
    isWrong,
    isStart: false,
  }
  if (type === 'password') return <PasswordField {...shared} t={t} autoComplete="off" isRequired={required} />
  const digits =
    type === 'number' ? ({ type: 'text', inputMode: 'numeric', pattern: '[0-9]*' } as const) : { type }
  return (
    <TextField
      {...shared}
      input={{
        ...digits,
        dir: 'auto',
        required,
        maxLength: signInFields.characters,
        defaultValue: value,
        autoComplete: 'off',
      }}
    />
  )
}
