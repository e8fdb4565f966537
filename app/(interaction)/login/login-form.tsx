/** User name and password in one form, as password managers expect them. */
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Carried } from './addresses.ts'
import { CarriedFields } from './carried-fields.tsx'
import type { ProblemKind } from './login-problem.tsx'

type LoginFormProps = {
  readonly t: Translate
  readonly carried: Carried
  readonly username: string
  readonly problem: ProblemKind | null
}

export function LoginForm({ t, carried, username, problem }: LoginFormProps) {
  const isWrong = problem === 'credentials' || problem === 'missing'
  const flaw = isWrong ? ({ 'aria-invalid': true, 'aria-describedby': 'problem' } as const) : {}
  return (
    <form className="form" method="post" action="/login/submit">
      <CarriedFields carried={carried} />
      <div className="field">
        <label htmlFor="username">{t('login.username')}</label>
        <input
          className="input"
          id="username"
          name="username"
          type="text"
          dir="auto"
          required
          maxLength={255}
          defaultValue={username}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          data-start=""
          {...flaw}
        />
      </div>
      <PasswordField t={t} flaw={flaw} />
      <RememberBox t={t} />
      <SubmitButton label={t('login.submit')} busy={t('login.busy')} />
    </form>
  )
}

type PasswordFieldProps = { readonly t: Translate; readonly flaw: Readonly<Record<string, unknown>> }

function PasswordField({ t, flaw }: PasswordFieldProps) {
  return (
    <div className="field">
      <label htmlFor="password">{t('login.password')}</label>
      <div className="with-button">
        <input
          className="input"
          id="password"
          name="password"
          type="password"
          required
          autoComplete="current-password"
          enterKeyHint="go"
          data-start=""
          {...flaw}
        />
        <button
          className="btn"
          type="button"
          hidden
          data-shows="password"
          aria-pressed={false}
          aria-label={t('login.showPassword')}
        >
          {t('login.show')}
        </button>
      </div>
      <p
        className="small muted"
        aria-live="polite"
        suppressHydrationWarning
        data-caps-lock-of="password"
        data-text={t('login.capsLock')}
      />
    </div>
  )
}

function RememberBox({ t }: { readonly t: Translate }) {
  const days = lifetimeSeconds.rememberedSession / 86_400
  return (
    <label className="check">
      <input type="checkbox" name="remember" value="on" aria-describedby="remember-hint" />
      <span>
        {t('login.remember')}
        <span className="small muted block" id="remember-hint">
          {t('login.rememberHint', { days })}
        </span>
      </span>
    </label>
  )
}
