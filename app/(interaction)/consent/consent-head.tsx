/** Which app asks, and whether its address is proven. The host is the one thing an app cannot forge. */

import type { Frame } from '#app/_ui/frame.ts'
import { PageHead } from '#app/_ui/page-head.tsx'
import type { ShownApp } from '#app/_ui/shown-app.ts'
import type { ConsentView } from '#lib/core/consent/consent-view.ts'
import { displayText } from '#lib/protocol/display-text.ts'

type ConsentHeadProps = { readonly frame: Frame; readonly app: ShownApp; readonly view: ConsentView }

export function ConsentHead({ frame: { t, siteName }, app, view }: ConsentHeadProps) {
  return (
    <PageHead app={app} heading={t('consent.heading', { app: app.name, site: siteName })}>
      <p className="small muted facts-line">
        <bdi dir="ltr">{displayText(view.returnHost, 80)}</bdi>
        {view.isVerifiable ? (
          <span className="tag good">✓ {t('consent.verified', { site: siteName })}</span>
        ) : (
          <span className="tag warn">{t('consent.notVerified')}</span>
        )}
      </p>
    </PageHead>
  )
}
