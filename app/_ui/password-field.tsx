/** A password with a button that shows it, where script is there, and a word about Caps Lock. */
import type { Translate } from '#lib/i18n/translate.ts'

type PasswordFieldProps = {
  readonly t: Translate
  readonly id: string
  readonly label: string
  readonly autoComplete: 'current-password' | 'new-password'
  readonly hint?: string
  readonly isLast?: boolean
  /** Attributes of a field that was refused. */
  readonly flaw: Readonly<Record<string, unknown>>
}

export function PasswordField({ t, id, label, autoComplete, hint, isLast, flaw }: PasswordFieldProps) {
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="with-button">
        <input
          className="input"
          id={id}
          name={id}
          type="password"
          required
          autoComplete={autoComplete}
          enterKeyHint={isLast ? 'go' : 'next'}
          data-start=""
          {...described}
          {...flaw}
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
      {hint !== undefined && (
        <p className="small muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p className="small muted" aria-live="polite" data-caps-lock-of={id} data-text={t('login.capsLock')} />
    </div>
  )
}
