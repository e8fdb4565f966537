import type { Translate } from '#lib/i18n/translate.ts'
import type { Tokens } from '../kept-tokens.ts'
import { homeAddress, type PlaygroundApp } from '../playground-app.ts'

type ResultActionsProps = {
  readonly t: Translate
  readonly tokens: Tokens
  readonly issuer: string
  readonly app: PlaygroundApp
}

/** The next requests that the app can make with its tokens. */
export function ResultActions({ t, tokens, issuer, app }: ResultActionsProps) {
  return (
    <div className="even">
      <a className="btn primary" href="/playground/start">
        {t('playground.restart')}
      </a>
      {tokens.refresh_token !== undefined && (
        <form method="post" action="/playground/refresh">
          <button type="submit" className="btn wide">
            {t('playground.refresh')}
          </button>
        </form>
      )}
      <a className="btn" href="/playground/result?show=validation#validation">
        {t('playground.validate')}
      </a>
      {app.clientSecret !== null && (
        <a className="btn" href="/playground/result?show=introspection#introspection">
          {t('playground.introspect')}
        </a>
      )}
      <form method="post" action="/playground/revoke">
        <button type="submit" className="btn wide">
          {t('playground.revoke')}
        </button>
      </form>
      <form method="post" action="/connect/endsession">
        <input type="hidden" name="id_token_hint" value={tokens.id_token} />
        <input type="hidden" name="client_id" value={app.clientId} />
        <input type="hidden" name="post_logout_redirect_uri" value={homeAddress(issuer)} />
        <button type="submit" className="btn wide">
          {t('playground.signOut')}
        </button>
      </form>
    </div>
  )
}
