/** User name and password in one form, as password managers expect them. */
import { PasswordField } from '#app/_ui/password-field.tsx'
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
      <PasswordField
        t={t}
        id="password"
        label={t('login.password')}
        autoComplete="current-password"
        isLast
        flaw={flaw}
      />
      <RememberBox t={t} />
      <SubmitButton label={t('login.submit')} busy={t('login.busy')} />
    </form>
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
