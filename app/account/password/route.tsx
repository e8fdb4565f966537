/** The form with which users change their password. */
import { PasswordField } from '#app/_ui/fields.tsx'
import { hostedPage } from '#app/_ui/hosted-route.ts'
import { ChoiceProblemNotice, ChosenPassword, choiceProblemOf } from '#app/_ui/new-password.tsx'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { withCarried } from '#app/(interaction)/login/sign-in-step.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { seeOther } from '#lib/http/reply.ts'
import { passwordOwner } from '#lib/identity/own-password.ts'
import { currentSession } from '#lib/identity/session.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/account/password',
  async page => {
    const { query, cookies, services } = page
    const session = await currentSession(services.ports, cookies.session)
    if (session === null) return seeOther(withCarried('/login', { pending: null, back: '/account/password' }))
    const owner = await passwordOwner(services.ports, session)
    if (owner === null) return seeOther('/account')

    const problem = choiceProblemOf(query)
    const frame = pageFrame(page, { offersSignOut: true })
    const { t, siteName } = frame
    const title = t('password.changeTitle', { name: siteName })
    const document = (
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
            isWrong={problem?.kind === 'wrong'}
          />
          <ChosenPassword t={t} problem={problem} username={owner.username} />
          <SubmitButton label={t('password.change')} busy={t('password.busy')} />
        </form>
        <p className="small muted center">
          <a href="/account">{t('password.back')}</a>
        </p>
      </Screen>
    )
    return pageReply(frame, document, pageStatusOf(problem))
  },
)
