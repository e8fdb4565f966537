import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { shownApp } from '#lib/pages/shown-app.ts'
import type { Client } from '#lib/protocol/registration/client.ts'

type LoginHeadProps = {
  readonly frame: Frame
  readonly client: Client | null
  /** A user is signed in, and the client requires a new sign-in. */
  readonly isAgain: boolean
}

export function LoginHead({ frame: { t, siteName, issuer }, client, isAgain }: LoginHeadProps) {
  if (client === null) {
    return (
      <PageHead app={null} heading={t('login.headingAlone')}>
        <p className="small muted">{t('login.leadAlone', { site: siteName })}</p>
      </PageHead>
    )
  }
  const app = shownApp(client, issuer)
  if (isAgain) {
    const why = client.clientId === adminClientId ? 'login.againDashboard' : 'login.again'
    return (
      <PageHead app={app} heading={t('login.headingAgain')}>
        <p className="small muted">{t(why, { app: app.name })}</p>
      </PageHead>
    )
  }
  return (
    <PageHead app={app} heading={t('login.heading', { app: app.name })}>
      <p className="small muted">{t('login.lead', { site: siteName })}</p>
    </PageHead>
  )
}
