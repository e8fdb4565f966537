/** Which app asks, and where the answer goes: the host is the one thing an app cannot forge. */
import type { ConsentView } from '#lib/core/consent/consent.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import type { ShownApp } from '#lib/pages/shown-app.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'

type ConsentHeadProps = { readonly frame: Frame; readonly app: ShownApp; readonly view: ConsentView }

export function ConsentHead({ frame: { t, siteName }, app, view }: ConsentHeadProps) {
  return (
    <PageHead app={app} heading={t('consent.heading', { app: app.name, site: siteName })}>
      <p className="small muted facts-line">
        <bdi dir="ltr">{displayText(view.returnHost, 80)}</bdi>
        {view.isLocal && <span className="tag">{t('consent.localApp')}</span>}
      </p>
    </PageHead>
  )
}
