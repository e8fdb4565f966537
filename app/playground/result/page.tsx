/** What the app holds after the main job: its tokens, decoded, and what they open. */
import { notFound, redirect } from 'next/navigation'
import type { Frame } from '#app/_ui/frame.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { frameOf, keep, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { displayName } from '#lib/protocol/display-text.ts'
import { decodeToken, textOf } from '../decode-token.ts'
import { readTokens, type Tokens } from '../kept-tokens.ts'
import { callIntrospection, callUserinfo, callValidation } from '../own-endpoints.ts'
import { type PlaygroundApp, playgroundApp } from '../playground-app.ts'
import { CallPanel } from './call-panel.tsx'
import { CurlPanel } from './curl-panel.tsx'
import { ResultActions } from './result-actions.tsx'
import { TokenPanel } from './token-panel.tsx'

export default async function PlaygroundResultPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  if (!visit.services.config.isLoopback) notFound()
  const tokens = readTokens(visit.cookieHeader)
  const app = await playgroundApp(visit.services)
  if (tokens === null || app === null) redirect('/playground')

  const frame = frameOf(visit, { path: '/playground/result', query: keep(query, 'show') })
  const { t, siteName, issuer } = frame
  const userinfo = await callUserinfo(issuer, tokens.access_token)
  return (
    <Screen frame={frame} title={t('playground.title', { name: siteName })} layout="column">
      <PageHead app={null} heading={t('playground.done', { name: nameIn(tokens, userinfo.body) })}>
        <p className="small muted">{t('playground.doneLead')}</p>
      </PageHead>
      {query.done === 'refreshed' && <Notice kind="good">{t('playground.refreshed')}</Notice>}
      {query.done === 'revoked' && <Notice kind="good">{t('playground.revoked')}</Notice>}
      <ResultActions t={t} tokens={tokens} issuer={issuer} app={app} />
      <AskedCall frame={frame} show={query.show} app={app} token={tokens.access_token} />
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

type AskedCallProps = {
  readonly frame: Frame
  readonly show: string | undefined
  readonly app: PlaygroundApp
  readonly token: string
}

/** The call that one of the buttons asked for. */
async function AskedCall({ frame, show, app, token }: AskedCallProps) {
  if (show === 'validation') {
    const call = await callValidation(frame.issuer, token)
    return (
      <CallPanel
        {...{ frame, call }}
        id={show}
        title="playground.validate"
        hint="playground.validationHint"
      />
    )
  }
  if (show === 'introspection' && app.clientSecret !== null) {
    const call = await callIntrospection(frame.issuer, app, token)
    return (
      <CallPanel
        {...{ frame, call }}
        id={show}
        title="playground.introspect"
        hint="playground.introspectionHint"
      />
    )
  }
  return null
}

/** A revoked token opens nothing any more; the ID token still says who it was. */
function nameIn({ id_token: token = '' }: Tokens, userinfo: JsonValue): string {
  const subject = textOf(decodeToken(token)?.claims ?? null, 'sub') ?? '?'
  return displayName(textOf(userinfo, 'name'), subject)
}
