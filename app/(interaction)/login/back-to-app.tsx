/** The link to cancel the sign-in. */
import type { Translate } from '#lib/i18n/translate.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayHref, displayName } from '#lib/protocol/text/display-text.ts'

type BackToAppProps = {
  readonly t: Translate
  readonly client: Client | null
  readonly pending: string | null
}

/** To the app's home page; an app without one gets `access_denied`. */
export function BackToApp({ t, client, pending }: BackToAppProps) {
  if (client === null || pending === null) return null
  const app = displayName(client.clientName, client.clientId)
  const home = displayHref(client.clientUri)
  if (home === null) return <CancelForm label={t('login.cancel', { app })} pending={pending} />
  return (
    <p className="small muted center">
      <a href={home} rel="noreferrer">
        {t('login.back', { app })}
      </a>
    </p>
  )
}

function CancelForm({ label, pending }: { readonly label: string; readonly pending: string }) {
  return (
    <form className="center" method="post" action="/login/cancel">
      <input type="hidden" name="pending" value={pending} />
      <button type="submit" className="btn plain small muted">
        {label}
      </button>
    </form>
  )
}
