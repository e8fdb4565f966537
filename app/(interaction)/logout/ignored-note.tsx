/** Explains why a sign-out does not lead back to the app: a sentence for users, and details for developers on a local server. */
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
