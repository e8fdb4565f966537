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
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
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
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/login/new-password',
  showNewPassword,
  formHandler(setNewPassword, readPasswordForm),
)

/** The interrupted sign-in, and its pending request: where a form that is sent twice continues. */
function carriedIn(query: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const { partial = '', pending } = query
  return { partial, ...(pending === undefined ? {} : { pending }) }
}

async function showNewPassword(page: PageExchange): Promise<Reply> {
  const { query, cookies, services } = page
  const partial = parseHandle('partial', query.partial)
  const proof = { partial, browser: cookies.browser }
  const view = await newPasswordView(services.pendingPorts(), proof)
  if (view === null) return seeOther(`/login/return?${encodeForm(Object.entries(carriedIn(query)))}`)

  const { client, username, uiLocales } = view
  const frame = pageFrame(page, { query: carriedIn(query), uiLocales })
  const { t, siteName, issuer } = frame
  const problem = choiceProblemOf(query)
  const name = client === null ? siteName : displayName(client.clientName, client.clientId)
  const document = (
    <Screen frame={frame} title={t('password.title', { name })} isProblem={problem !== null}>
      <PageHead app={client && shownApp(client, issuer)} heading={t('password.heading')}>
        <p className="small muted">{t('password.lead', { username: displayName(username, '') })}</p>
      </PageHead>
      <ChoiceProblemNotice t={t} problem={problem} />
      <form className="form" method="post" action={browserAddress('/login/new-password')}>
        {Object.entries(carriedIn(query)).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ChosenPassword t={t} problem={problem} username={username} />
        <SubmitButton label={t('password.submit')} busy={t('password.busy')} />
      </form>
    </Screen>
  )
  return pageReply(frame, document, pageStatusOf(problem))
}

async function setNewPassword(posted: FormExchange<FormFields>): Promise<Reply> {
  const { request, cookies, context, services } = posted
  const { password = '', again = '', ...sent } = posted.form
  const carried = carriedIn(sent)
  const { browser, session: previous, knownBrowser } = cookies
  const partial = parseHandle('partial', carried.partial)
  const proof = { partial, browser }
  const answer = await chooseNewPassword(
    services.pendingPorts(),
    { ...proof, password, again, previous, knownBrowser },
    context,
  )
  if (answer.kind === 'unfit') {
    return seeOther(`${newPasswordPath}?${encodeForm(Object.entries(carried))}&${choiceProblemQuery(answer)}`)
  }
  const back = readBack(request.headers.get('cookie'), services.config.issuer)
  const pending = answer.pending ?? parseHandle('pending', carried.pending)
  return respondSignIn(answer, posted, { pending, username: null, back })
}
