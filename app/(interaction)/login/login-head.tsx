import type { Frame } from '#app/_ui/frame.ts'
import { PageHead } from '#app/_ui/page-head.tsx'
import { shownApp } from '#app/_ui/shown-app.ts'
import type { Client } from '#lib/protocol/client.ts'

type LoginHeadProps = { readonly frame: Frame; readonly client: Client | null }

export function LoginHead({ frame: { t, siteName, issuer }, client }: LoginHeadProps) {
  if (client === null) {
    return (
      <PageHead app={null} heading={t('login.headingAlone')}>
        <p className="small muted">{t('login.leadAlone', { site: siteName })}</p>
      </PageHead>
    )
  }
  const app = shownApp(client, issuer)
  return (
    <PageHead app={app} heading={t('login.heading', { app: app.name })}>
      <p className="small muted">{t('login.lead', { site: siteName })}</p>
    </PageHead>
  )
}
