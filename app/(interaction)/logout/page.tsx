/** Sign-out that a person must confirm: an app asked for it without proof, or the person came by themselves. */
import { redirect } from 'next/navigation'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { frameOf, keep, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import { displayName } from '#lib/protocol/display-text.ts'
import { IgnoredNote } from './ignored-note.tsx'

export default async function LogoutPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const { services, cookies } = visit
  const session = await services.currentSession(cookies.session)
  const lasting = keep(query, 'request')
  if (session === null) redirect(`/logout/done?${new URLSearchParams(lasting)}`)

  const frame = frameOf(visit, { path: '/logout', query: lasting })
  const { t, siteName } = frame
  const asked = services.openSignOutRequest(query.request ?? null)
  const app = asked?.clientName ? displayName(asked.clientName, '?') : null
  return (
    <Screen frame={frame} title={t('logout.title', { name: siteName })}>
      <PageHead app={null} heading={t('logout.heading', { site: siteName })}>
        <p className="small muted">
          {t('logout.lead', { name: displayName(session.name, session.subject) })}
        </p>
      </PageHead>
      {app !== null && <p>{t('logout.asked', { app })}</p>}
      <IgnoredNote frame={frame} asked={asked} isLoopback={services.config.isLoopback} />
      <form className="pair" method="post" action="/logout/submit">
        {query.request !== undefined && <input type="hidden" name="request" value={query.request} />}
        <a className="btn" href="/account">
          {t('logout.stay')}
        </a>
        <SubmitButton label={t('logout.submit')} busy={t('logout.busy')} />
      </form>
    </Screen>
  )
}
