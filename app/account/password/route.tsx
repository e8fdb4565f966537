/** Changing one's own password. */
import { ChoiceProblemNotice, ChosenPassword, choiceProblemOf } from '#app/_ui/chosen-password.tsx'
import { pageStatusOf } from '#app/_ui/limited-notice.tsx'
import { PasswordField } from '#app/_ui/password-field.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { withCarried } from '#app/(interaction)/login/addresses.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageQuery, pageReply } from '#lib/http/page-frame.ts'
import { seeOther } from '#lib/http/reply.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/account/password',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { request, cookies, services: s } = exchange
    const session = await s.currentSession(cookies.session)
    if (session === null) return seeOther(withCarried('/login', { pending: null, back: '/account/password' }))
    const owner = await s.passwordOwner(session)
    if (owner === null) return seeOther('/account')

    const problem = choiceProblemOf(pageQuery(request))
    const frame = pageFrame(exchange, { offersSignOut: true })
    const { t, siteName } = frame
    const title = t('password.changeTitle', { name: siteName })
    const flaw = problem?.kind === 'wrong' ? { 'aria-invalid': true, 'aria-describedby': 'problem' } : {}
    const page = (
      <Screen frame={frame} title={title} isProblem={problem !== null}>
        <PageHead app={null} heading={t('password.changeHeading')}>
          <p className="small muted">{t('password.changeLead')}</p>
        </PageHead>
        <ChoiceProblemNotice t={t} problem={problem} />
        <form className="form" method="post" action="/account/password/change">
          <PasswordField
            t={t}
            id="current"
            label={t('password.current')}
            autoComplete="current-password"
            flaw={flaw}
          />
          <ChosenPassword t={t} problem={problem} username={owner.username} />
          <SubmitButton label={t('password.change')} busy={t('password.busy')} />
        </form>
        <p className="small muted center">
          <a href="/account">{t('password.back')}</a>
        </p>
      </Screen>
    )
    return pageReply(frame, page, pageStatusOf(problem))
  },
})
