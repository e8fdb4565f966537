/** Whose account this is about, and the way out for somebody else. */
import type { Translate } from '#lib/i18n/translate.ts'
import { displayName, initialsOf } from '#lib/protocol/display-text.ts'

type SignedInAsProps = { readonly t: Translate; readonly name: string; readonly pending: string }

export function SignedInAs({ t, name, pending }: SignedInAsProps) {
  const shown = displayName(name, '?')
  return (
    <div className="who">
      <span className="face" aria-hidden="true">
        {initialsOf(shown)}
      </span>
      <span className="grow">{t('consent.signedInAs', { name: shown })}</span>
      <a className="small" href={`/select-account?pending=${encodeURIComponent(pending)}`}>
        {t('consent.notYou')}
      </a>
    </div>
  )
}
