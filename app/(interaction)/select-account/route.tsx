/**
 * The accounts that are signed in in this browser: the user chooses the one for an app's request, or without a request the current
 * one, and signs out of one or all.
 */

import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { endAdminSession } from '#lib/admin/access/admin-session.ts'
import { loginHintDiffers } from '#lib/core/authorize/login-hint.ts'
import { findInteraction, type PendingInteraction } from '#lib/core/authorize/pending.ts'
import { chooseAccount } from '#lib/core/authorize/resume.ts'
import { signOut } from '#lib/core/logout/end-session.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endedAdminCookie, otherSessionCookies, sessionCookie } from '#lib/http/cookies.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { donePath } from '#lib/http/respond-end-session.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import { accountNames } from '#lib/identity/account.ts'
import { type BrowserAccount, browserAccounts, findAccount } from '#lib/identity/browser-accounts.ts'
import { asOther } from '#lib/identity/session.ts'
import { type PendingHandle, parseHandle } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { type Carried, carriedFields, withCarried } from '../login/sign-in-step.ts'
import { signedOutReply } from '../logout/signed-out-reply.ts'
import { pendingHandle, resumeReply } from '../pending-page.ts'
import { AccountsPage, type ShownAccount, type ShownAccounts } from './accounts-page.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/select-account',
  pendingPage(readAccounts, AccountsPage),
  formHandler(handleForm, readForm),
)

async function readAccounts({ query, cookies, services }: PageExchange): Promise<PageContent<ShownAccounts>> {
  const handle = pendingHandle(query)
  const interaction = await findInteraction(services.pendingPorts(), handle, cookies.browser)
  if (interaction === null && query.pending !== undefined) return { elsewhere: resumeReply(query) }
  const carried = { pending: handle, back: handle === null ? backPath(query.back) : null }
  const accounts = await browserAccounts(services.ports, cookies)
  const account = cookies.sessions.length === 0 ? null : 'other'
  if (accounts.length === 0) return { elsewhere: seeOther(withCarried('/login', { ...carried, account })) }
  const shown = await Promise.all(accounts.map(each => describe(services, each, interaction)))
  const current = findAccount(accounts, null)
  return {
    shown: {
      carried,
      client: interaction?.client ?? null,
      // The requested account comes first
      accounts: shown.toSorted((left, right) => Number(right.isRequested) - Number(left.isRequested)),
      current: current && displayName(current.session.name, current.session.subject),
      hint: shown.some(({ isRequested }) => isRequested) ? null : (interaction?.loginHint ?? null),
    },
    frame: {
      query: Object.fromEntries(carriedFields(carried)),
      uiLocales: interaction?.uiLocales ?? [],
      // The page itself signs out of one of several accounts
      offersSignOut: accounts.length === 1,
    },
  }
}

async function describe(
  { pendingPorts, ports }: PageExchange['services'],
  { session, account, isCurrent }: BrowserAccount,
  interaction: PendingInteraction | null,
): Promise<ShownAccount> {
  const { username, email } = await accountNames(ports, session, account)
  const { subject, name } = session
  return {
    ...{ subject, isCurrent, name: displayName(name, subject), detail: username ?? email },
    isRequested:
      interaction !== null &&
      interaction.loginHint !== null &&
      !(await loginHintDiffers(pendingPorts(), { ...interaction, session, account })),
  }
}

async function handleForm(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, services } = posted
  const accounts = await browserAccounts(services.ports, cookies)
  const carried = { pending: parseHandle('pending', form.pending), back: backPath(form.back) }
  const ended = form.end === undefined ? null : accounts.filter(each => each.session.subject === form.end)
  if (form.accounts === 'all') return endAccounts(posted, { accounts, ended: accounts }, carried)
  if (ended !== null) return endAccounts(posted, { accounts, ended }, carried)
  const chosen = form.user === undefined ? null : findAccount(accounts, form.user)
  return chooseFrom(posted, { accounts, chosen }, carried)
}

type CarriedOn = Pick<Carried, 'back'> & { readonly pending: PendingHandle | null }

/** Signs the accounts out. The user continues with the other accounts, if there are any. */
async function endAccounts(
  posted: FormExchange<FormFields>,
  { accounts, ended }: Record<'accounts' | 'ended', readonly BrowserAccount[]>,
  carried: CarriedOn,
): Promise<Reply> {
  for (const { session } of ended) await signOut(posted.services.ports, session, posted.context)
  const left = accounts.filter(each => !ended.includes(each))
  return signedOutReply(posted, { ended, left }, idp => {
    if (left.length > 0) return withCarried('/select-account', carried)
    return carried.pending === null
      ? donePath(undefined, { idp, hasOthers: false })
      : withCarried('/login', carried)
  })
}

type Choice = { readonly accounts: readonly BrowserAccount[]; readonly chosen: BrowserAccount | null }

/**
 * Makes the chosen account current, and records the choice for the pending request. `null`: the user signs in with another account,
 * or the chosen one is no longer signed in.
 */
async function chooseFrom(
  { form, cookies, services }: FormExchange<FormFields>,
  { accounts, chosen }: Choice,
  { pending, back }: CarriedOn,
): Promise<Reply> {
  const signIn = withCarried('/login', { pending, back, account: 'other' })
  if (pending !== null || form.pending !== undefined) {
    const choice = { pending, browser: cookies.browser, session: chosen?.session ?? null }
    const next = await chooseAccount(services.pendingPorts(), choice)
    if (next === 'expired' && pending === null) throw new OauthError('choice_expired')
    if (next === 'sign_in') return seeOther(signIn)
    if (next === 'expired') return seeOther(continuation(pending))
  }
  if (chosen === null) return seeOther(signIn)
  if (chosen.isCurrent) return seeOther(continuation(pending, back))
  return seeOther(continuation(pending, back), await makeCurrent({ cookies, services }, accounts, chosen))
}

/** Returns the cookies that make an account current. The dashboard of the account that was current before ends. */
async function makeCurrent(
  { cookies, services }: Pick<FormExchange<FormFields>, 'cookies' | 'services'>,
  accounts: readonly BrowserAccount[],
  chosen: BrowserAccount,
): Promise<readonly string[]> {
  const { issuer } = services.config
  const { handle, session } = chosen
  await endAdminSession(services.admin, cookies.admin)
  const leftSeconds = Math.ceil((session.expiresAt.getTime() - services.ports.clock.now().getTime()) / 1000)
  const persistSeconds = session.isPersistent ? leftSeconds : null
  const others = accounts.filter(each => each !== chosen).map(asOther)
  return [
    sessionCookie({ session: handle, persistSeconds }, issuer),
    ...otherSessionCookies(others, cookies, issuer),
    ...(cookies.admin === null ? [] : [endedAdminCookie(issuer)]),
  ]
}
