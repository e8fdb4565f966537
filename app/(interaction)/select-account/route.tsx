/** The page where the user chooses between the signed-in account and a different one. */

import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { loginHintDiffers } from '#lib/core/authorize/login-hint.ts'
import { chooseAccount } from '#lib/core/authorize/resume.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { accountNames } from '#lib/identity/account.ts'
import { readInteraction } from '#lib/identity/pending-user.ts'
import { currentSession } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayName, displayText, initialsOf } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { pendingHandle, resumeReply } from '../pending-page.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/select-account',
  pendingPage(readAccounts, SelectAccountPage),
  formHandler(recordChoice, readForm),
)

async function readAccounts({ query, cookies, services }: PageExchange): Promise<PageContent<Accounts>> {
  const handle = pendingHandle(query)
  const carried = { ...cookies, pending: handle }
  const { interaction, session, account } = await readInteraction(services.pendingPorts(), carried)
  if (handle === null || interaction === null) return { elsewhere: resumeReply(query) }
  const { client, loginHint, uiLocales } = interaction
  if (session === null) return { elsewhere: seeOther(`/login?pending=${handle}`) }
  const isAnotherRequested =
    loginHint !== null &&
    (await loginHintDiffers(services.pendingPorts(), { loginHint, client, session, account }))
  const shown = {
    client,
    handle,
    name: displayName(session.name, session.subject),
    username: (await accountNames(services.ports, session, account)).username,
    hint: isAnotherRequested ? loginHint : null,
  }
  return { shown, frame: { query: { pending: handle }, uiLocales, offersSignOut: true } }
}

async function recordChoice({ form, cookies, services }: FormExchange<FormFields>): Promise<Reply> {
  const pending = parseHandle('pending', form.pending)
  const session = await currentSession(services.ports, cookies.session)
  const choice = form.choice === 'current' ? 'current' : 'other'
  const next = await chooseAccount(services.pendingPorts(), {
    pending,
    browser: cookies.browser,
    session,
    choice,
  })
  if (next === 'expired' && pending === null) throw new OauthError('choice_expired')
  return seeOther(
    next === 'sign_in' ? `/login?pending=${pending ?? ''}&account=other` : continuation(pending),
  )
}

type Accounts = {
  readonly client: Client
  readonly handle: string
  readonly name: string
  readonly username: string | null
  /** The `login_hint`, if it names another user. */
  readonly hint: string | null
}

function SelectAccountPage({
  frame,
  client,
  handle,
  name,
  username,
  hint,
}: Accounts & { readonly frame: Frame }) {
  const { t } = frame
  const app = shownApp(client, frame.issuer)
  return (
    <Screen frame={frame} title={t('selectAccount.title', { name: app.name })}>
      <PageHead app={app} heading={t('selectAccount.heading')}>
        <p className="small muted">{t('selectAccount.lead', { app: app.name })}</p>
      </PageHead>
      {hint !== null && (
        <Notice kind="plain">
          {t('selectAccount.askedFor', { name, app: app.name, hint: displayText(hint, 60) })}
        </Notice>
      )}
      <form className="stack" method="post" action={browserAddress('/select-account')}>
        <input type="hidden" name="pending" value={handle} />
        <button type="submit" className="btn wide row" name="choice" value="current">
          <span className="face" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className="grow">
            {t('selectAccount.continueAs', { name })}
            <span className="small muted block">
              {username !== null && <bdi>{displayText(username, 60)} · </bdi>}
              {t('selectAccount.signedIn')}
            </span>
          </span>
        </button>
        <button type="submit" className="btn wide row" name="choice" value="other">
          <span className="face plus" aria-hidden="true">
            +
          </span>
          <span className="grow">{t('selectAccount.other')}</span>
        </button>
      </form>
    </Screen>
  )
}
