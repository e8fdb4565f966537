/** The ways out of a page for a second factor: help for a lost factor, a new sign-in, and the error for the app. */
import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { Query } from '#lib/http/page-frame.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { CancelSignIn } from '../sign-in-parts.tsx'
import { withHandles } from './carried.ts'

type WaysOutProps = {
  readonly frame: Frame
  readonly carried: Query
  readonly client: Client | null
  /** The sentence for users without any factor that the page could lead to; `null`: there is another way. */
  readonly lost: MessageKey | null
}

export function WaysOut({ frame: { t, siteName }, carried: { pending }, client, lost }: WaysOutProps) {
  const again = pending === undefined ? '/login' : withHandles('/login', { pending })
  const canCancel = client !== null && client.clientId !== adminClientId && pending !== undefined
  return (
    <>
      {lost !== null && <p>{t(lost, { site: siteName })}</p>}
      <p>
        <a href={browserAddress(again)}>{t('secondFactor.back')}</a>
      </p>
      {canCancel && (
        <CancelSignIn t={t} pending={pending} app={displayName(client.clientName, client.clientId)} />
      )}
    </>
  )
}
