/**
 * Asks the user to confirm a sign-out that the user began, or that an app requested. Some sign-outs need no confirmation: see
 * `mustConfirm` and `signsOutUnasked`.
 */

import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import {
  openSignOutRequest,
  type SignOutRequest,
  signOut,
  signsOutUnasked,
} from '#lib/core/logout/end-session.ts'
import { keep } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { donePath } from '#lib/http/respond-end-session.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { browserAccounts, findAccount } from '#lib/identity/browser-accounts.ts'
import { type SignOutView, signOutView } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { IgnoredNote } from './ignored-note.tsx'
import { signedOutReply } from './signed-out-reply.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/logout',
  pendingPage(readSignOut, LogoutPage),
  formHandler(endSession, readForm),
)

async function readSignOut({ query, cookies, services }: PageExchange): Promise<PageContent<ShownSignOut>> {
  const lasting = keep(query, 'request')
  const accounts = await browserAccounts(services.ports, cookies)
  const sealed = lasting.request ?? null
  const asked = openSignOutRequest(services.ports, sealed)
  const account = findAccount(accounts, asked?.subject ?? null)
  if (account === null) return { elsewhere: seeOther(`/logout/done?${new URLSearchParams(lasting)}`) }
  if (sealed === null && signsOutUnasked(services.ports))
    return { elsewhere: seeOther('/connect/endsession') }
  const { session } = account
  const view = await signOutView(services.ports, session)
  const others = accounts.filter(each => each !== account).map(each => each.session)
  const { isLoopback } = services.config
  return { shown: { session, others, sealed, asked, view, isLoopback }, frame: { query: lasting } }
}

async function endSession(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const { request: sealed } = form
  const accounts = await browserAccounts(services.ports, cookies)
  const asked = openSignOutRequest(services.ports, sealed ?? null)
  const account = findAccount(accounts, form.user ?? asked?.subject ?? null)
  const named = account === null ? [] : [account]
  const ended = form.accounts === 'all' ? accounts : named
  for (const { session } of ended) await signOut(services.ports, session, context)
  const left = accounts.filter(each => !ended.includes(each))
  const hasOthers = left.length > 0
  const onward = (idp: string | null) => asked?.redirect ?? donePath(sealed, { idp, hasOthers })
  return signedOutReply(posted, { ended, left }, onward)
}

type ShownUser = { readonly name: string; readonly subject: string }

type ShownSignOut = {
  readonly session: ShownUser
  /** The other accounts in this browser. */
  readonly others: readonly ShownUser[]
  /** The sealed sign-out request, which the form posts again. */
  readonly sealed: string | null
  readonly asked: SignOutRequest | null
  readonly view: SignOutView
  readonly isLoopback: boolean
}

function LogoutPage({
  frame,
  session,
  others,
  sealed,
  asked,
  view,
  isLoopback,
}: ShownSignOut & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const app = asked?.clientName ? displayName(asked.clientName, '?') : null
  return (
    <Screen frame={frame} title={t('logout.title', { name: siteName })}>
      <PageHead app={null} heading={t('logout.heading', { site: siteName })}>
        <p className="small muted">
          {t('logout.lead', { name: displayName(session.name, session.subject) })}
        </p>
      </PageHead>
      {app !== null && <p>{t('logout.asked', { app })}</p>}
      {view.apps.length > 0 && (
        <div className="small">
          <p className="muted">{t('logout.apps')}</p>
          <ul className="list">
            {view.apps.map(name => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </div>
      )}
      {view.provider !== null && (
        <p className="small muted">
          {t(view.endsAtProvider ? 'logout.providerToo' : 'logout.provider', { provider: view.provider })}
        </p>
      )}
      <IgnoredNote frame={frame} asked={asked} isLoopback={isLoopback} />
      <form className="pair" method="post" action={browserAddress('/logout')}>
        {sealed !== null && <input type="hidden" name="request" value={sealed} />}
        <input type="hidden" name="user" value={session.subject} />
        <a className="btn" href={browserAddress('/account')}>
          {t('logout.stay')}
        </a>
        <SubmitButton label={t('logout.submit')} busy={t('logout.busy')} />
      </form>
      <OtherAccounts t={t} others={others} sealed={sealed} />
    </Screen>
  )
}

type OtherAccountsProps = Pick<ShownSignOut, 'others' | 'sealed'> & { readonly t: Translate }

/** The accounts that stay signed in, and a button that signs them out as well. */
function OtherAccounts({ t, others, sealed }: OtherAccountsProps) {
  if (others.length === 0) return null
  return (
    <form className="stack" method="post" action={browserAddress('/logout')}>
      {sealed !== null && <input type="hidden" name="request" value={sealed} />}
      <p className="small muted">{t('logout.others')}</p>
      <ul className="list small">
        {others.map(({ name, subject }) => (
          <li key={subject}>{displayName(name, subject)}</li>
        ))}
      </ul>
      <button type="submit" className="btn wide" name="accounts" value="all">
        {t('logout.all')}
      </button>
    </form>
  )
}
