/** The fields of the hosted pages: a label, an input with the same id and name, and a hint. */
import type { InputHTMLAttributes, ReactNode } from 'react'
import type { Translate } from '#lib/i18n/translate.ts'

type FieldProps = {
  /** Also the name. */
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  /** The problem above the form is about this field. */
  readonly isWrong?: boolean
}

function Field({ id, label, hint, children }: FieldProps & { readonly children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p className="small muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

function inputOf({ id, hint, isWrong = false }: FieldProps) {
  const described = [...(isWrong ? ['problem'] : []), ...(hint === undefined ? [] : [`${id}-hint`])]
  return {
    className: 'input',
    id,
    name: id,
    'aria-invalid': isWrong || undefined,
    'aria-describedby': described.join(' ') || undefined,
  }
}

type TextFieldProps = FieldProps & { readonly input: InputHTMLAttributes<HTMLInputElement> }

/** A required name or address, which is neither corrected nor capitalized. */
export function TextField({ input, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      <input
        {...inputOf(field)}
        required
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        data-start=""
        {...input}
      />
    </Field>
  )
}

type PasswordFieldProps = FieldProps & {
  readonly t: Translate
  readonly autoComplete: 'current-password' | 'new-password'
  readonly isLast?: boolean
}

/** Script adds a button that shows the password, and a warning about Caps Lock. */
export function PasswordField({ t, autoComplete, isLast, ...field }: PasswordFieldProps) {
  const { id } = field
  return (
    <Field {...field}>
      <div className="with-button">
        <input
          {...inputOf(field)}
          type="password"
          required
          autoComplete={autoComplete}
          enterKeyHint={isLast ? 'go' : 'next'}
          data-start=""
        />
        <button
          className="btn"
          type="button"
          hidden
          data-shows={id}
          aria-pressed={false}
          aria-label={t('login.showPassword')}
        >
          {t('login.show')}
        </button>
      </div>
      <p className="small muted" aria-live="polite" data-caps-lock-of={id} data-text={t('login.capsLock')} />
    </Field>
  )
}

type SelectProps = FieldProps & {
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
}

export function Select({ value, options, ...field }: SelectProps) {
  return (
    <Field {...field}>
      <select {...inputOf(field)} defaultValue={value}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}
