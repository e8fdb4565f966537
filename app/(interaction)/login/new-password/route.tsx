/** Between signing in with a temporary password and being signed in: the user chooses a new one. */
import { type FormExchange, formHandler, hostedPage, type PageExchange } from '#app/_ui/hosted-route.ts'
import {
  ChoiceProblemNotice,
  ChosenPassword,
  choiceProblemOf,
  choiceProblemQuery,
} from '#app/_ui/new-password.tsx'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { keep, pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { encodeForm, type FormFields, readPasswordForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import { chooseNewPassword, newPasswordView } from '#lib/identity/new-password.ts'
import { PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/login/new-password',
  showNewPassword,
  formHandler(setNewPassword, readPasswordForm),
)

async function showNewPassword(page: PageExchange): Promise<Reply> {
  const { query, cookies, services } = page
  const partial = parseHandle('partial', query.partial)
  const proof = { partial, browser: cookies.browser }
  const view = await newPasswordView(services.pendingPorts(), proof)
  if (view === null) return seeOther(`/login/return?partial=${encodeURIComponent(query.partial ?? '')}`)

  const { client, username, uiLocales } = view
  const frame = pageFrame(page, { query: keep(query, 'partial'), uiLocales })
  const { t, siteName, issuer } = frame
  const problem = choiceProblemOf(query)
  const name = client === null ? siteName : displayName(client.clientName, client.clientId)
  const document = (
    <Screen frame={frame} title={t('password.title', { name })} isProblem={problem !== null}>
      <PageHead app={client && shownApp(client, issuer)} heading={t('password.heading')}>
        <p className="small muted">{t('password.lead', { username: displayName(username, '') })}</p>
      </PageHead>
      <ChoiceProblemNotice t={t} problem={problem} />
      <form className="form" method="post" action="/login/new-password">
        <input type="hidden" name="partial" value={query.partial} />
        <ChosenPassword t={t} problem={problem} username={username} />
        <SubmitButton label={t('password.submit')} busy={t('password.busy')} />
      </form>
    </Screen>
  )
  return pageReply(frame, document, pageStatusOf(problem))
}

async function setNewPassword(posted: FormExchange<FormFields>): Promise<Reply> {
  const { request, cookies, context, services } = posted
  const { partial: given = '', password = '', again = '' } = posted.form
  const { browser, session: previous, knownBrowser } = cookies
  const partial = parseHandle('partial', given)
  const proof = { partial, browser }
  const answer = await chooseNewPassword(
    services.pendingPorts(),
    { ...proof, password, again, previous, knownBrowser },
    context,
  )
  if (answer.kind === 'unfit') {
    return seeOther(`${newPasswordPath}?${encodeForm([['partial', given]])}&${choiceProblemQuery(answer)}`)
  }
  const back = readBack(request.headers.get('cookie'), services.config.issuer)
  return respondSignIn(answer, posted, { pending: answer.pending, username: null, back })
}
