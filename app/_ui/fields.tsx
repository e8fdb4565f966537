/** The fields of the hosted pages: a label, an input with the same id and name, a hint, and an error. */
import type { InputHTMLAttributes, ReactNode } from 'react'
import type { Translate } from '#lib/i18n/translate.ts'

type FieldProps = {
  /** The id of the input, which is also its name. */
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  /** Whether the problem above the form is about this field. */
  readonly isWrong?: boolean
  /** The problem of this field, shown below it. */
  readonly error?: string | undefined
  /** Whether the field may get the focus when the page opens. */
  readonly isStart?: boolean
  /** A link next to the label, which follows the input in the order of the keyboard. */
  readonly aside?: ReactNode
  /** A further description below the hint, with the id of its text. */
  readonly below?: { readonly id: string; readonly content: ReactNode }
}

function Field(props: FieldProps & { readonly children: ReactNode }) {
  const { id, label, hint, error, aside, below, children } = props
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {aside}
      {hint !== undefined && (
        <p className="small muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="small text-bad" id={`${id}-error`}>
          {error}
        </p>
      )}
      {below?.content}
    </div>
  )
}

function inputOf({ id, hint, error, below, isWrong = false }: FieldProps) {
  const described = [
    ...(isWrong ? ['problem'] : []),
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(below === undefined ? [] : [below.id]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ]
  return {
    className: 'input',
    id,
    name: id,
    'aria-invalid': isWrong || error !== undefined || undefined,
    'aria-describedby': described.join(' ') || undefined,
  }
}

type TextFieldProps = FieldProps & { readonly input: InputHTMLAttributes<HTMLInputElement> }

/** A text field, required by default, such as for a user name: the browser neither corrects words nor capitalizes them. */
export function TextField({ input, isStart = true, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      <input
        {...inputOf(field)}
        required
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        data-start={isStart ? '' : undefined}
        {...input}
      />
    </Field>
  )
}

type PasswordFieldProps = FieldProps & {
  readonly t: Translate
  readonly autoComplete: 'current-password' | 'new-password' | 'off'
  readonly isRequired?: boolean
  readonly isLast?: boolean
}

/** A password field. With script, it has a button that shows the password, and a warning about Caps Lock. */
export function PasswordField(props: PasswordFieldProps) {
  const { t, autoComplete, isRequired = true, isLast, isStart = true, ...field } = props
  const { id } = field
  return (
    <Field {...field}>
      <div className="with-button">
        <input
          {...inputOf(field)}
          type="password"
          required={isRequired}
          autoComplete={autoComplete}
          enterKeyHint={isLast ? 'go' : 'next'}
          data-start={isStart ? '' : undefined}
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
