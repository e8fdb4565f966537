/** The tokens of the app, decoded, and the requests that they allow. */

import { Notice } from '#app/_ui/notice.tsx'
import { endpoint } from '#lib/http/endpoint.ts'
import { errorReply, refuseWithPage } from '#lib/http/error-page.ts'
import { keep, pageFrame, pageQuery, pageReply } from '#lib/http/page-frame.ts'
import { refusedWith } from '#lib/http/refused.ts'
import { seeOther } from '#lib/http/reply.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { services } from '#lib/server/services.ts'
import { decodeToken, textOf } from '../decode-token.ts'
import { readTokens, type Tokens } from '../kept-tokens.ts'
import { type Call, callIntrospection, callUserinfo, callValidation } from '../own-endpoints.ts'
import { type PlaygroundApp, playgroundApp } from '../playground-app.ts'
import { CallPanel, type CallPanelProps } from './call-panel.tsx'
import { CurlPanel } from './curl-panel.tsx'
import { ResultActions } from './result-actions.tsx'
import { TokenPanel } from './token-panel.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/playground/result',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { request, services: s } = exchange
    if (!s.config.isLoopback) return errorReply(refusedWith('not_found'), exchange)
    const tokens = readTokens(request.headers.get('cookie'))
    const app = await playgroundApp(s)
    if (tokens === null || app === null) return seeOther('/playground')
    const query = pageQuery(request)
    const frame = pageFrame(exchange, { query: keep(query, 'show') })
    const player = { issuer: frame.issuer, app, token: tokens.access_token }
    const [userinfo, asked] = [
      await callUserinfo(frame.issuer, tokens.access_token),
      await askedCall(query.show, player),
    ]
    return pageReply(frame, <ResultPage {...{ frame, app, tokens, userinfo, asked, done: query.done }} />)
  },
})

type AskedCall = Pick<CallPanelProps, 'id' | 'title' | 'hint' | 'call'>
type Player = { readonly issuer: string; readonly app: PlaygroundApp; readonly token: string }

/** The call that one of the buttons asked for. */
async function askedCall(
  show: string | undefined,
  { issuer, app, token }: Player,
): Promise<AskedCall | null> {
  if (show === 'validation') {
    const call = await callValidation(issuer, token)
    return { id: show, title: 'playground.validate', hint: 'playground.validationHint', call }
  }
  if (show === 'introspection' && app.clientSecret !== null) {
    const call = await callIntrospection(issuer, app, token)
    return { id: show, title: 'playground.introspect', hint: 'playground.introspectionHint', call }
  }
  return null
}

type ResultPageProps = {
  readonly frame: Frame
  readonly app: PlaygroundApp
  readonly tokens: Tokens
  readonly userinfo: Call
  readonly asked: AskedCall | null
  readonly done: string | undefined
}

function ResultPage({ frame, app, tokens, userinfo, asked, done }: ResultPageProps) {
  const { t, siteName, issuer } = frame
  return (
    <Screen frame={frame} title={t('playground.title', { name: siteName })} layout="column">
      <PageHead app={null} heading={t('playground.done', { name: nameIn(tokens, userinfo.body) })}>
        <p className="small muted">{t('playground.doneLead')}</p>
      </PageHead>
      {done === 'refreshed' && <Notice kind="good">{t('playground.refreshed')}</Notice>}
      {done === 'revoked' && <Notice kind="good">{t('playground.revoked')}</Notice>}
      <ResultActions t={t} tokens={tokens} issuer={issuer} app={app} />
      {asked !== null && <CallPanel frame={frame} {...asked} />}
      <TokenPanel
        frame={frame}
        id="id-token"
        title="playground.idToken"
        hint="playground.idTokenHint"
        token={tokens.id_token}
      />
      <TokenPanel
        frame={frame}
        id="access-token"
        title="playground.accessToken"
        hint="playground.accessTokenHint"
        token={tokens.access_token}
      />
      <CallPanel
        frame={frame}
        id="userinfo"
        title="playground.userinfo"
        hint="playground.userinfoHint"
        call={userinfo}
      />
      <CurlPanel t={t} issuer={issuer} app={app} />
    </Screen>
  )
}

/** A revoked token is invalid; the ID token still names the user. */
function nameIn({ id_token: token = '' }: Tokens, userinfo: JsonValue): string {
  const subject = textOf(decodeToken(token)?.claims ?? null, 'sub') ?? '?'
  return displayName(textOf(userinfo, 'name'), subject)
}
