/** One button per account; the whole row is the button. */
import type { Translate } from '#lib/i18n/translate.ts'
import { initialsOf } from '#lib/protocol/display-text.ts'

type AccountChoiceProps = { readonly t: Translate; readonly pending: string; readonly name: string }

export function AccountChoice({ t, pending, name }: AccountChoiceProps) {
  return (
    <form className="stack" method="post" action="/select-account/submit">
      <input type="hidden" name="pending" value={pending} />
      <button type="submit" className="btn wide row" name="choice" value="current">
        <span className="face" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span className="grow">{t('selectAccount.continueAs', { name })}</span>
        <span className="tag good">{t('selectAccount.signedIn')}</span>
      </button>
      <button type="submit" className="btn wide row" name="choice" value="other">
        <span className="face plus" aria-hidden="true">
          +
        </span>
        <span className="grow">{t('selectAccount.other')}</span>
      </button>
    </form>
  )
}
