/** Consent: the permissions that an app asks for, in words, before it gets them. */
import { hostedPage } from '#app/_ui/hosted-route.ts'
import { consentView } from '#lib/core/consent/consent.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { accountNames } from '#lib/identity/account.ts'
import { currentSession } from '#lib/identity/session.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { readPending, resumeReply } from '../pending-page.ts'
import { ConsentPage } from './consent-page.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage('/consent', async page => {
  const { query, cookies, services } = page
  const pending = await readPending(page)
  if (pending === null) return resumeReply(query)
  const { handle, uiLocales } = pending
  const session = await currentSession(services.ports, cookies.session)
  const view = await consentView(services.pendingPorts(), {
    pending: handle,
    browser: cookies.browser,
    session,
  })
  if (view === null) return resumeReply(query)
  const names = session === null ? null : await accountNames(services.ports, session)
  const frame = pageFrame(page, { query: { pending: handle }, uiLocales, offersSignOut: true })
  const left =
    query.error === 'nothing_selected'
      ? { scopes: scopeWords(query.ticked ?? ''), remember: query.remember !== 'off' }
      : null
  const detail = names?.email ?? names?.username ?? null
  return pageReply(frame, <ConsentPage {...{ frame, view, handle, left, detail }} />)
})
