/** Why an app's sign-out did not lead where it should: for developers, on a local server. */
import type { Frame } from '#app/_ui/frame.ts'
import type { SignOutRequest } from '#lib/core/logout/sign-out-request.ts'

type IgnoredNoteProps = {
  readonly frame: Frame
  readonly asked: SignOutRequest | null
  readonly isLoopback: boolean
}

export function IgnoredNote({ frame: { t }, asked, isLoopback }: IgnoredNoteProps) {
  if (!isLoopback || asked === null || asked.ignored === null) return null
  return (
    <details open>
      <summary>{t('errors.details')}</summary>
      <p className="small muted">{t(`logout.ignored.${asked.ignored}`)}</p>
    </details>
  )
}
