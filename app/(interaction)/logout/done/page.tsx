/** Signed out: what was ended, and the way back to the app that asked for it. */
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { frameOf, keep, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import { displayHref, displayName } from '#lib/protocol/display-text.ts'

export default async function SignedOutPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const lasting = keep(query, 'request')
  const frame = frameOf(visit, { path: '/logout/done', query: lasting })
  const { t, siteName } = frame
  const asked = visit.services.openSignOutRequest(query.request ?? null)
  const back = displayHref(asked?.redirect ?? null)
  return (
    <Screen frame={frame} title={t('signedOut.title', { name: siteName })}>
      <PageHead app={null} heading={t('signedOut.heading')} />
      <p className="muted">{t('signedOut.body', { site: siteName })}</p>
      <div className="stack">
        {back !== null && (
          <a className="btn primary wide" href={back}>
            {t('signedOut.back', { app: displayName(asked?.clientName ?? null, new URL(back).host) })}
          </a>
        )}
        <a className="btn wide" href="/login">
          {t('signedOut.again')}
        </a>
      </div>
    </Screen>
  )
}
