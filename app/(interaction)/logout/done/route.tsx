/** The page after a sign-out, or if no user was signed in. */

import { hostedPage } from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import type { SignOutRequest } from '#lib/core/logout/end-session.ts'
import { openSignOutRequest } from '#lib/core/logout/end-session.ts'
import { keep, pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { seeOther } from '#lib/http/reply.ts'
import { providerName } from '#lib/identity/external-provider.ts'
import { currentSession } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayHref, displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { IgnoredNote } from '../ignored-note.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage('/logout/done', async page => {
  const { query, cookies, services } = page
  const hasOthers = query.others === '1'
  // The user may have signed in again, for example in another tab
  if (!hasOthers && (await currentSession(services.ports, cookies.session)) !== null)
    return seeOther('/login')
  const frame = pageFrame(page, {
    query: {
      ...{ ...keep(query, 'request'), ...keep(query, 'ended') },
      ...{ ...keep(query, 'provider'), ...keep(query, 'others') },
    },
  })
  const asked = openSignOutRequest(services.ports, query.request ?? null)
  const { isLoopback } = services.config
  const hasEnded = query.ended === '1'
  const provider = query.provider === undefined ? null : await providerName(services.ports, query.provider)
  return pageReply(frame, <SignedOutPage {...{ frame, asked, hasEnded, hasOthers, provider, isLoopback }} />)
})

type SignedOutPageProps = {
  readonly frame: Frame
  readonly asked: SignOutRequest | null
  /** Whether a session was ended; false if there was none. */
  readonly hasEnded: boolean
  /** Whether other accounts are signed in in this browser. */
  readonly hasOthers: boolean
  /** The name of the identity provider that may still have a session. */
  readonly provider: string | null
  readonly isLoopback: boolean
}

function SignedOutPage({ frame, asked, hasEnded, hasOthers, provider, isLoopback }: SignedOutPageProps) {
  const { t, siteName } = frame
  const back = displayHref(asked?.redirect ?? null)
  return (
    <Screen
      frame={frame}
      title={t(hasEnded ? 'signedOut.title' : 'signedOut.notSignedInTitle', { name: siteName })}
    >
      <PageHead app={null} heading={t(hasEnded ? 'signedOut.heading' : 'signedOut.notSignedIn')} />
      <p className="muted">{t(bodyOf({ hasEnded, hasOthers }), { site: siteName })}</p>
      {provider !== null && <Notice kind="plain">{t('signedOut.provider', { provider })}</Notice>}
      <IgnoredNote frame={frame} asked={asked} isLoopback={isLoopback} />
      <div className="stack">
        {back !== null && (
          <a className="btn primary wide" href={browserAddress(back)}>
            {t('signedOut.back', { app: displayName(asked?.clientName ?? null, new URL(back).host) })}
          </a>
        )}
        <a className="btn wide" href={browserAddress(hasOthers ? '/select-account' : '/login')}>
          {hasOthers ? t('selectAccount.heading') : t(hasEnded ? 'signedOut.again' : 'login.submit')}
        </a>
      </div>
    </Screen>
  )
}

function bodyOf({ hasEnded, hasOthers }: Pick<SignedOutPageProps, 'hasEnded' | 'hasOthers'>) {
  if (!hasEnded) return 'signedOut.notSignedInBody'
  return hasOthers ? 'signedOut.bodyOthers' : 'signedOut.body'
}
