/** The consent page and its form: the user allows or denies the permissions that an app requests. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
  readPermissionForm,
} from '#app/_ui/hosted-route.ts'
import { answerConsent, consentView } from '#lib/core/consent/consent.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { continuation, loginAgain } from '#lib/http/respond-sign-in.ts'
import { accountNames } from '#lib/identity/account.ts'
import { readInteraction } from '#lib/identity/pending-user.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { pendingHandle, resumeReply } from '../pending-page.ts'
import { ConsentPage, type ConsentPageProps } from './consent-page.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/consent',
  pendingPage(readConsent, ConsentPage),
  formHandler(recordConsent, readPermissionForm),
)

async function readConsent({
  query,
  cookies,
  services,
}: PageExchange): Promise<PageContent<Omit<ConsentPageProps, 'frame'>>> {
  const handle = pendingHandle(query)
  const asked = await readInteraction(services.pendingPorts(), { ...cookies, pending: handle })
  const { interaction, session, account } = asked
  const view = await consentView(services.pendingPorts(), asked)
  if (handle === null || interaction === null || session === null || view === null)
    return { elsewhere: resumeReply(query) }
  const names = await accountNames(services.ports, session, account)
  const { uiLocales } = interaction
  const left =
    query.error === 'nothing_selected'
      ? { scopes: scopeWords(query.ticked ?? ''), remember: query.remember !== 'off' }
      : null
  const detail = [names.email, names.username].find(name => name !== null && name !== session.name) ?? null
  const signOutUser = session.subject
  const frame = { query: { pending: handle }, uiLocales, offersSignOut: true, signOutUser }
  const isOther = query.error === 'another_account'
  return { shown: { view, handle, left, isOther, detail }, frame }
}

async function recordConsent(posted: FormExchange<Parameters>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const scopes = form.all('scope')
  const pending = parseHandle('pending', form.one('pending'))
  const remember = form.one('remember') !== null
  const answer = await answerConsent(
    services.pendingPorts(),
    {
      ...(await readInteraction(services.pendingPorts(), { ...cookies, pending })),
      shownSessionId: form.one('session'),
      decision: form.one('decision') === 'allow' ? 'allow' : 'deny',
      scopes,
      remember,
    },
    context,
  )
  if (answer === 'expired' && pending === null) throw new OauthError('consent_expired')
  const page = `/consent?pending=${pending ?? ''}`
  if (answer === 'signed_out')
    return seeOther(loginAgain({ pending, back: null }, { why: 'signed_out', retryAfterSeconds: 0 }))
  if (answer === 'shown_to_another') return seeOther(`${page}&error=another_account`)
  if (answer === 'nothing_selected') {
    const ticked = new URLSearchParams({ ticked: scopes.join(' '), remember: remember ? 'on' : 'off' })
    return seeOther(`${page}&error=nothing_selected&${ticked}`)
  }
  // An expired or answered request continues as well: only the authorization endpoint can distinguish the two
  return seeOther(continuation(pending))
}
