/** Signed out: what was ended, and the way back to the app that asked for it. */
import { redirect } from 'next/navigation'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { frameOf, keep, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import { displayHref, displayName } from '#lib/protocol/display-text.ts'
import { IgnoredNote } from '../ignored-note.tsx'

export default async function SignedOutPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const { services, cookies } = visit
  // Somebody signed in again since, in another tab or by going back
  if ((await services.currentSession(cookies.session)) !== null) redirect('/login')

  const lasting = { ...keep(query, 'request'), ...keep(query, 'ended') }
  const frame = frameOf(visit, { path: '/logout/done', query: lasting })
  const { t, siteName } = frame
  const asked = services.openSignOutRequest(query.request ?? null)
  const back = displayHref(asked?.redirect ?? null)
  const hasEnded = query.ended === '1'
  return (
    <Screen
      frame={frame}
      title={t(hasEnded ? 'signedOut.title' : 'signedOut.nobodyTitle', { name: siteName })}
    >
      <PageHead app={null} heading={t(hasEnded ? 'signedOut.heading' : 'signedOut.nobody')} />
      <p className="muted">{t(hasEnded ? 'signedOut.body' : 'signedOut.nobodyBody', { site: siteName })}</p>
      <IgnoredNote frame={frame} asked={asked} isLoopback={services.config.isLoopback} />
      <div className="stack">
        {back !== null && (
          <a className="btn primary wide" href={back}>
            {t('signedOut.back', { app: displayName(asked?.clientName ?? null, new URL(back).host) })}
          </a>
        )}
        <a className="btn wide" href="/login">
          {t(hasEnded ? 'signedOut.again' : 'login.submit')}
        </a>
      </div>
    </Screen>
  )
}
