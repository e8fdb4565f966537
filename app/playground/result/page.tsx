/** What the app holds after the main job: its tokens, decoded, and what they open. */
import { notFound, redirect } from 'next/navigation'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { frameOf, keep, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import { displayName } from '#lib/protocol/display-text.ts'
import { textOf } from '../decode-token.ts'
import { readTokens } from '../kept-tokens.ts'
import { callUserinfo, callValidation } from '../own-endpoints.ts'
import { CurlPanel } from './curl-panel.tsx'
import { JsonPanel } from './json-panel.tsx'
import { ResultActions } from './result-actions.tsx'
import { TokenPanel } from './token-panel.tsx'

export default async function PlaygroundResultPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const { issuer, isLoopback } = visit.services.config
  if (!isLoopback) notFound()
  const tokens = readTokens(visit.cookieHeader)
  if (tokens === null) redirect('/playground')

  const frame = frameOf(visit, { path: '/playground/result', query: keep(query, 'show') })
  const { t, siteName } = frame
  const userinfo = await callUserinfo(issuer, tokens.access_token)
  const name = textOf(userinfo.body, 'name') ?? textOf(userinfo.body, 'sub')
  const validation = query.show === 'validation' ? await callValidation(issuer, tokens.access_token) : null
  return (
    <Screen frame={frame} title={t('playground.title', { name: siteName })} layout="column">
      <PageHead app={null} heading={t('playground.done', { name: displayName(name, '?') })}>
        <p className="small muted">{t('playground.doneLead')}</p>
      </PageHead>
      {query.done === 'refreshed' && <Notice kind="good">{t('playground.refreshed')}</Notice>}
      <ResultActions t={t} tokens={tokens} issuer={issuer} />
      <TokenPanel t={t} title="playground.idToken" hint="playground.idTokenHint" token={tokens.id_token} />
      <TokenPanel
        t={t}
        title="playground.accessToken"
        hint="playground.accessTokenHint"
        token={tokens.access_token}
      />
      <JsonPanel
        t={t}
        id="userinfo"
        title="playground.userinfo"
        endpoint="/connect/userinfo"
        answer={userinfo}
      />
      {validation !== null && (
        <JsonPanel
          t={t}
          id="validation"
          title="playground.validation"
          endpoint="/connect/accesstokenvalidation"
          answer={validation}
        />
      )}
      <CurlPanel t={t} issuer={issuer} />
    </Screen>
  )
}
