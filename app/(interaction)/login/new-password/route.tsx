/** The page where a user replaces a temporary password during the sign-in. */

import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import {
  ChoiceProblemNotice,
  ChosenPassword,
  choiceProblemOf,
  choiceProblemQuery,
} from '#app/_ui/new-password.tsx'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import type { Query } from '#lib/http/page-frame.ts'
import { type FormFields, readPasswordForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import { chooseNewPassword, type NewPasswordView, newPasswordView } from '#lib/identity/new-password.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { appOrSite, PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { carriedIn, withHandles } from '../second-factor/carried.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/login/new-password',
  pendingPage(readNewPassword, NewPasswordPage),
  formHandler(setNewPassword, readPasswordForm),
)

async function readNewPassword({
  query,
  cookies,
  services,
}: PageExchange): Promise<PageContent<ShownNewPassword>> {
  const partial = parseHandle('partial', query.partial)
  const carried = carriedIn(query)
  const proof = { partial, browser: cookies.browser }
  const view = await newPasswordView(services.pendingPorts(), proof)
  if (view === null) return { elsewhere: seeOther(withHandles('/login/return', carried)) }
  const problem = choiceProblemOf(query)
  const { uiLocales } = view
  return {
    shown: { view, carried, problem },
    frame: { query: carried, uiLocales },
    status: pageStatusOf(problem),
  }
}

type ShownNewPassword = {
  readonly view: NewPasswordView
  readonly carried: Query
  readonly problem: ReturnType<typeof choiceProblemOf>
}

function NewPasswordPage({ frame, view, carried, problem }: ShownNewPassword & { readonly frame: Frame }) {
  const { t, siteName, issuer } = frame
  const { client, username, minimum } = view
  return (
    <Screen
      frame={frame}
      title={t('password.title', { name: appOrSite(client, siteName) })}
      isProblem={problem !== null}
      choosesPassword
    >
      <PageHead app={client && shownApp(client, issuer)} heading={t('password.heading')}>
        <p className="small muted">{t('password.lead', { username: displayName(username, '') })}</p>
      </PageHead>
      <ChoiceProblemNotice t={t} problem={problem} minimum={minimum} />
      <form className="form" method="post" action={browserAddress('/login/new-password')}>
        {Object.entries(carried).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ChosenPassword t={t} problem={problem} minimum={minimum} username={username} />
        <SubmitButton label={t('password.submit')} busy={t('password.busy')} />
      </form>
    </Screen>
  )
}

async function setNewPassword(posted: FormExchange<FormFields>): Promise<Reply> {
  const { request, cookies, context, services } = posted
  const { password = '', again = '', ...sent } = posted.form
  const carried = carriedIn(sent)
  const { browser, sessions: previous, knownBrowser } = cookies
  const partial = parseHandle('partial', carried.partial)
  const proof = { partial, browser }
  const answer = await chooseNewPassword(
    services.pendingPorts(),
    { ...proof, password, again, previous, knownBrowser },
    context,
  )
  if (answer.kind === 'unfit') {
    return seeOther(`${withHandles(newPasswordPath, carried)}&${choiceProblemQuery(answer)}`)
  }
  const back = readBack(request.headers.get('cookie'), services.config.issuer)
  const pending = answer.pending ?? parseHandle('pending', carried.pending)
  return respondSignIn(answer, posted, { pending, username: null, back })
}
