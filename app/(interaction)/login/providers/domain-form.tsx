/** Finds the organisation by the part after the @. Whether an account exists plays no part. */
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Carried } from '../addresses.ts'
import { CarriedFields } from '../carried-fields.tsx'

type DomainFormProps = { readonly t: Translate; readonly carried: Carried; readonly isWrong: boolean }

export function DomainForm({ t, carried, isWrong }: DomainFormProps) {
  return (
    <form className="form" method="post" action="/login/providers/submit">
      <CarriedFields carried={carried} />
      <div className="field">
        <label htmlFor="email">{t('providers.email')}</label>
        <input
          className="input"
          id="email"
          name="email"
          type="email"
          dir="ltr"
          required
          maxLength={254}
          autoComplete="email"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          aria-describedby={isWrong ? 'problem email-hint' : 'email-hint'}
          aria-invalid={isWrong || undefined}
          data-start=""
        />
        <p className="small muted" id="email-hint">
          {t('providers.emailHint')}
        </p>
      </div>
      <SubmitButton label={t('providers.find')} busy={t('consent.busy')} />
    </form>
  )
}
