/** One button per account; the whole row is the button. */
import type { Translate } from '#lib/i18n/translate.ts'
import { displayText, initialsOf } from '#lib/protocol/text/display-text.ts'

type AccountChoiceProps = {
  readonly t: Translate
  readonly pending: string
  readonly name: string
  readonly username: string | null
}

export function AccountChoice({ t, pending, name, username }: AccountChoiceProps) {
  return (
    <form className="stack" method="post" action="/select-account/submit">
      <input type="hidden" name="pending" value={pending} />
      <button type="submit" className="btn wide row" name="choice" value="current">
        <span className="face" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span className="grow">
          {t('selectAccount.continueAs', { name })}
          <span className="small muted block">
            {username !== null && <bdi>{displayText(username, 60)} · </bdi>}
            {t('selectAccount.signedIn')}
          </span>
        </span>
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
