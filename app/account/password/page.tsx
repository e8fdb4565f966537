/** Changing the password one has. */
import { redirect } from 'next/navigation'
import { ChoiceProblemNotice, ChosenPassword, choiceProblemOf } from '#app/_ui/chosen-password.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
import { PasswordField } from '#app/_ui/password-field.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { frameOf, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import { withCarried } from '#app/(interaction)/login/addresses.ts'

export default async function PasswordPage(input: PageInput) {
  const problem = choiceProblemOf(await readQuery(input))
  const visit = await readVisit()
  const session = await visit.services.currentSession(visit.cookies.session)
  if (session === null) redirect(withCarried('/login', { pending: null, back: '/account/password' }))
  const owner = await visit.services.passwordOwner(session)
  if (owner === null) redirect('/account')

  const frame = frameOf(visit, { path: '/account/password', query: {}, offersSignOut: true })
  const { t, siteName } = frame
  const isWrong = problem?.kind === 'wrong'
  return (
    <Screen frame={frame} title={t('password.changeTitle', { name: siteName })} isProblem={problem !== null}>
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
          flaw={isWrong ? { 'aria-invalid': true, 'aria-describedby': 'problem' } : {}}
        />
        <ChosenPassword t={t} problem={problem} username={owner.username} />
        <SubmitButton label={t('password.change')} busy={t('password.busy')} />
      </form>
      <p className="small muted center">
        <a href="/account">{t('password.back')}</a>
      </p>
    </Screen>
  )
}
