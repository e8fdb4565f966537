/**
 * Reports that a parameter of a sign-out request was ignored: to users if it is `post_logout_redirect_uri`; on a local server
 * with the reason, whichever parameter it is.
 */
import type { SignOutRequest } from '#lib/core/logout/end-session.ts'
import type { Frame } from '#lib/pages/frame.ts'

type IgnoredNoteProps = {
  readonly frame: Frame
  readonly asked: SignOutRequest | null
  readonly isLoopback: boolean
}

export function IgnoredNote({ frame: { t }, asked, isLoopback }: IgnoredNoteProps) {
  if (asked === null || asked.ignored === null) return null
  return (
    <>
      {asked.ignored === 'post_logout_redirect_uri' && (
        <p>
          {t('logout.notReturning')}{' '}
          <span className="small muted">
            {t('errors.reference')} <span className="reference">{asked.requestId}</span>
          </span>
        </p>
      )}
      {isLoopback && (
        <details open>
          <summary>{t('errors.details')}</summary>
          <p className="small muted">{t(`logout.ignored.${asked.ignored}`)}</p>
        </details>
      )}
    </>
  )
}
