/** Whose account this is about, and the way to use another account. */
import type { Translate } from '#lib/i18n/translate.ts'
import { displayName, displayText, initialsOf } from '#lib/protocol/text/display-text.ts'

type SignedInAsProps = {
  readonly t: Translate
  readonly name: string
  /** The email address or user name, which distinguishes accounts of one name. */
  readonly detail: string | null
  readonly pending: string
}

export function SignedInAs({ t, name, detail, pending }: SignedInAsProps) {
  const shown = displayName(name, '?')
  return (
    <div className="who">
      <span className="face" aria-hidden="true">
        {initialsOf(shown)}
      </span>
      <span className="grow">
        {t('consent.signedInAs', { name: shown })}
        {detail !== null && <bdi className="small muted block">{displayText(detail, 60)}</bdi>}
      </span>
      <a className="small" href={`/select-account?pending=${encodeURIComponent(pending)}`}>
        {t('consent.notYou')}
      </a>
    </div>
  )
}
