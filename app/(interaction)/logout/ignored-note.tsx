/** Why a sign-out does not lead back to the app: for users in a sentence, for developers on a local server in detail. */
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
      {asked.ignored === 'post_logout_redirect_uri' && <p>{t('logout.notReturning')}</p>}
      {isLoopback && (
        <details open>
          <summary>{t('errors.details')}</summary>
          <p className="small muted">{t(`logout.ignored.${asked.ignored}`)}</p>
        </details>
      )}
    </>
  )
}
