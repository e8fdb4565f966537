/** Form fields of the dashboard, each with its label, help and error. */
import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'

type FieldProps = {
  readonly name: string
  readonly label: string
  readonly help?: ReactNode
  readonly error: string | null
}

type TextFieldProps = FieldProps & {
  readonly value: string
  readonly type?: 'text' | 'email' | 'url' | 'number' | 'password' | 'date'
  readonly isRequired?: boolean
  readonly isMono?: boolean
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly suffix?: string
}

export function TextField({
  value,
  type = 'text',
  isRequired,
  isMono,
  autoComplete = 'off',
  suffix,
  ...field
}: TextFieldProps) {
  return (
    <Labeled {...field}>
      <span className="suffixed">
        <input
          className={isMono ? 'input small mono' : 'input small'}
          {...ties(field)}
          type={type}
          defaultValue={value}
          required={isRequired}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
        />
        {suffix !== undefined && <span className="small muted">{suffix}</span>}
      </span>
    </Labeled>
  )
}

type TextAreaProps = FieldProps & {
  readonly value: string
  readonly rows?: number
  readonly isMono?: boolean
  /** Marks the field as invalid without an `error`, where another element shows the errors. */
  readonly isInvalid?: boolean
}

export function TextArea({ value, rows = 3, isMono = true, isInvalid = false, ...field }: TextAreaProps) {
  return (
    <Labeled {...field}>
      <textarea
        className={isMono ? 'input small mono' : 'input small'}
        {...ties(field)}
        aria-invalid={isInvalid || field.error !== null || undefined}
        rows={rows}
        defaultValue={value}
        spellCheck={false}
      />
    </Labeled>
  )
}

/**
 * The number of rows of a text area: one for each line and one to add another, from `fewest` to 30. In browsers that support it,
 * the field also grows with its text.
 */
export function rowsFor(value: string, fewest = 3): number {
  return Math.max(fewest, Math.min(30, value.split('\n').length + 1))
}

export type Option = readonly [value: string, text: string]

export function SelectField({
  value,
  options,
  ...field
}: FieldProps & { readonly value: string; readonly options: readonly Option[] }) {
  return (
    <Labeled {...field}>
      <select className="input small" {...ties(field)} defaultValue={value}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Labeled>
  )
}

type CheckFieldProps = FieldProps & {
  readonly isOn: boolean
  /** The value that is posted while the box is not ticked. */
  readonly off?: 'false' | ''
}

/**
 * A check box after a hidden field. Both are posted if the box is ticked, else only the hidden field: the last value counts.
 */
export function CheckField({ isOn, off = 'false', name, label, help, error }: CheckFieldProps) {
  return (
    <div className="field">
      <input type="hidden" name={name} value={off} />
      <label className="check">
        <input type="checkbox" {...ties({ name, help, error })} value="true" defaultChecked={isOn} />
        <span>
          {label}
          {help !== undefined && (
            <span className="small muted block" id={`${name}-help`}>
              {help}
            </span>
          )}
        </span>
      </label>
      <FieldError name={name} error={error} />
    </div>
  )
}

/**
 * A check box for each option. The hidden field is posted even without a ticked box, so that the use case knows that the form has
 * the field.
 */
type CheckBoxesProps = FieldProps & {
  readonly values: readonly string[]
  readonly options: readonly Option[]
  /** The value that gives full access to this server. Its box is below the others, with a warning. */
  readonly fullAccess?: string
}

export function CheckBoxes({ values, options, fullAccess, name, label, help, error }: CheckBoxesProps) {
  const { id, ...described } = ties({ name, help, error })
  const box = ([value, text]: Option) => (
    <label key={value} className="check">
      <input type="checkbox" name={name} value={value} defaultChecked={values.includes(value)} />
      <span>
        {text}
        {text !== value && <span className="mono small faint block">{value}</span>}
        {value === fullAccess && (
          <span className="small muted block">
            <span className="tag warn">Full access</span> The client can do everything that its administrators
            can do in the dashboard.
          </span>
        )}
      </span>
    </label>
  )
  const powerful = options.find(([value]) => value === fullAccess)
  return (
    <fieldset className="field check-boxes" id={id} aria-describedby={described['aria-describedby']}>
      <legend>{label}</legend>
      {help !== undefined && (
        <p className="small muted" id={`${name}-help`}>
          {help}
        </p>
      )}
      <input type="hidden" name={name} value="" />
      <div className="boxes">{options.filter(([value]) => value !== fullAccess).map(box)}</div>
      {powerful !== undefined && <div className="boxes-apart">{box(powerful)}</div>}
      <FieldError name={name} error={error} />
    </fieldset>
  )
}

export type RadioCard = { readonly value: string; readonly title: string; readonly text: string }

export function RadioCards({
  value,
  cards,
  name,
  label,
  error,
}: Omit<FieldProps, 'help'> & { readonly value: string; readonly cards: readonly RadioCard[] }) {
  return (
    <fieldset className="radio-cards" aria-describedby={error === null ? undefined : `${name}-error`}>
      <legend className="strong">{label}</legend>
      {cards.map(card => (
        <label key={card.value} className="radio-card">
          <input type="radio" name={name} value={card.value} defaultChecked={card.value === value} required />
          <span>
            <span className="strong">{card.title}</span>
            <span className="small muted block">{card.text}</span>
          </span>
        </label>
      ))}
      <FieldError name={name} error={error} />
    </fieldset>
  )
}

function Labeled({ name, label, help, error, children }: FieldProps & { readonly children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {help !== undefined && (
        <p className="small muted" id={`${name}-help`}>
          {help}
        </p>
      )}
      {children}
      <FieldError name={name} error={error} />
    </div>
  )
}

function FieldError({ name, error }: { readonly name: string; readonly error: string | null }) {
  if (error === null) return null
  return (
    <p className="field-error" id={`${name}-error`}>
      {error}
    </p>
  )
}

/** Attributes that connect a control with its help and its error. */
function ties({ name, help, error }: Pick<FieldProps, 'name' | 'help' | 'error'>) {
  const described = [help === undefined ? null : `${name}-help`, error === null ? null : `${name}-error`]
  const ids = described.filter(id => id !== null).join(' ')
  return {
    id: name,
    name,
    'aria-invalid': error === null ? undefined : true,
    'aria-describedby': ids === '' ? undefined : ids,
  }
}
