/** The tokens of a run, decoded, and the requests that they allow. */

import { hostedPage } from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { claimOf, textIn } from '#lib/admin/flow-runs/token-content.ts'
import { keep, pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { seeOther } from '#lib/http/reply.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress, ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { type Caller, redirectUriOf, requireCaller, requirePlayground } from '../clients.ts'
import { type Call, callIntrospection, callUserinfo, callValidation, type Tokens } from '../own-endpoints.ts'
import { playgroundPath, type Run, readRun, readTokens } from '../run.ts'
import { CallPanel, type CallPanelProps, CodeBlock, TokenPanel } from './panels.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/playground/result',
  async page => {
    const { request, query, services } = page
    requirePlayground(services)
    const [run, tokens] = [readRun(services, request), readTokens(request)]
    const accessToken = tokens.access_token
    if (run === null || (tokens.id_token ?? accessToken) === undefined) return seeOther('/playground')
    const frame = pageFrame(page, { query: keep(query, 'show') })
    const caller = await requireCaller(services, run)
    const isForUser = run.flow !== 'client_credentials' && accessToken !== undefined
    const shown = {
      frame,
      caller,
      run,
      tokens,
      userinfo: isForUser ? await callUserinfo(frame.issuer, accessToken) : null,
      requested: accessToken === undefined ? null : await requestedCall(query.show, caller, accessToken),
      done: query.done,
    }
    return pageReply(frame, <ResultPage {...shown} />)
  },
)

type RequestedCall = Pick<CallPanelProps, 'id' | 'title' | 'hint' | 'call'>

/** The request that the address names, and its response; `null` without one. */
async function requestedCall(
  show: string | undefined,
  caller: Caller,
  token: string,
): Promise<RequestedCall | null> {
  if (show === 'validation') {
    const call = await callValidation(caller.issuer, token)
    return { id: show, title: 'playground.validate', hint: 'playground.validationHint', call }
  }
  if (show === 'introspection' && caller.secret !== null) {
    const call = await callIntrospection(caller, token)
    return { id: show, title: 'playground.introspect', hint: 'playground.introspectionHint', call }
  }
  return null
}

type ResultPageProps = {
  readonly frame: Frame
  readonly caller: Caller
  readonly run: Run
  readonly tokens: Tokens
  /** The response of userinfo; `null` without an access token of a user. */
  readonly userinfo: Call | null
  readonly requested: RequestedCall | null
  readonly done: string | undefined
}

function ResultPage({ frame, caller, run, tokens, userinfo, requested, done }: ResultPageProps) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('playground.title', { name: siteName })} layout="column">
      <PageHead app={null} heading={headingOf(frame, { caller, tokens, userinfo })}>
        <p className="small muted">{t('playground.doneLead')}</p>
      </PageHead>
      {done === 'refreshed' && <Notice kind="good">{t('playground.refreshed')}</Notice>}
      {done === 'revoked' && <Notice kind="good">{t('playground.revoked')}</Notice>}
      <Actions frame={frame} caller={caller} run={run} tokens={tokens} />
      {requested !== null && <CallPanel frame={frame} {...requested} />}
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
      {userinfo !== null && (
        <CallPanel
          frame={frame}
          id="userinfo"
          title="playground.userinfo"
          hint="playground.userinfoHint"
          call={userinfo}
        />
      )}
      {run.flow.startsWith('code') && <CurlPanel frame={frame} caller={caller} />}
    </Screen>
  )
}

/** The heading, which names the user if userinfo or the ID token does, and otherwise the client. */
function headingOf(
  { t }: Frame,
  { caller, tokens, userinfo }: Pick<ResultPageProps, 'caller' | 'tokens' | 'userinfo'>,
) {
  const claim = (name: string) => claimOf(tokens.id_token ?? '', name)
  const name = textIn(userinfo?.body ?? null, 'name') ?? claim('name') ?? claim('sub')
  if (name !== null) return t('playground.done', { name: displayName(name, '?') })
  return t('playground.doneClient', { client: displayName(caller.client.clientName, caller.client.clientId) })
}

/** Buttons for the next steps: start again, use the tokens, or sign out. */
function Actions({
  frame: { t, issuer },
  caller,
  run,
  tokens,
}: Pick<ResultPageProps, 'frame' | 'caller' | 'run' | 'tokens'>) {
  const hasAccess = tokens.access_token !== undefined
  return (
    <div className="even">
      <a className="btn primary" href={browserAddress(playgroundPath(run))}>
        {t('playground.restart')}
      </a>
      {tokens.refresh_token !== undefined && <CallButton call="refresh" label={t('playground.refresh')} />}
      {hasAccess && (
        <a className="btn" href={browserAddress('/playground/result?show=validation#validation')}>
          {t('playground.validate')}
        </a>
      )}
      {hasAccess && caller.secret !== null && (
        <a className="btn" href={browserAddress('/playground/result?show=introspection#introspection')}>
          {t('playground.introspect')}
        </a>
      )}
      {hasAccess && <CallButton call="revoke" label={t('playground.revoke')} />}
      {run.flow !== 'client_credentials' && (
        <form method="post" action={browserAddress('/connect/endsession')}>
          {tokens.id_token !== undefined && (
            <input type="hidden" name="id_token_hint" value={tokens.id_token} />
          )}
          <input type="hidden" name="client_id" value={run.client} />
          <input type="hidden" name="post_logout_redirect_uri" value={ownUrl(issuer, '/playground')} />
          <button type="submit" className="btn wide">
            {t('playground.signOut')}
          </button>
        </form>
      )}
    </div>
  )
}

function CallButton({ call, label }: { readonly call: 'refresh' | 'revoke'; readonly label: string }) {
  return (
    <form method="post" action={browserAddress('/playground/call')}>
      <button type="submit" className="btn wide" name="call" value={call}>
        {label}
      </button>
    </form>
  )
}

/** The command that exchanges the code for tokens. It has variables such as `$SECRET` for the secret, the code and the verifier. */
function CurlPanel({
  frame: { t, issuer },
  caller: { client, secret },
}: Pick<ResultPageProps, 'frame' | 'caller'>) {
  const command = [
    `curl ${ownUrl(issuer, '/connect/token')}`,
    secret === null ? `-d client_id=${client.clientId}` : `-u ${client.clientId}:$SECRET`,
    '-d grant_type=authorization_code',
    `-d redirect_uri=${redirectUriOf(issuer)}`,
    '-d code=$CODE',
    '-d code_verifier=$VERIFIER',
  ]
  return (
    <section className="panel" aria-labelledby="curl">
      <h2 id="curl">{t('playground.curl')}</h2>
      <CodeBlock t={t} id="curl-command" label={t('playground.curlHint')}>
        {command.join(' \\\n  ')}
      </CodeBlock>
    </section>
  )
}
