/** The way back for somebody who does not want to sign in after all. */
import type { Translate } from '#lib/i18n/translate.ts'
import type { Client } from '#lib/protocol/client.ts'
import { displayHref, displayName } from '#lib/protocol/display-text.ts'

type BackToAppProps = { readonly t: Translate; readonly client: Client | null }

export function BackToApp({ t, client }: BackToAppProps) {
  const home = displayHref(client?.clientUri ?? null)
  if (client === null || home === null) return null
  return (
    <p className="small muted center">
      <a href={home} rel="noreferrer">
        {t('login.back', { app: displayName(client.clientName, client.clientId) })}
      </a>
    </p>
  )
}
