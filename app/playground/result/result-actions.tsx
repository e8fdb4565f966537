import type { Translate } from '#lib/i18n/translate.ts'
import { demoApp, homeAddress } from '../demo-app.ts'
import type { Tokens } from '../kept-tokens.ts'

type ResultActionsProps = { readonly t: Translate; readonly tokens: Tokens; readonly issuer: string }

/** What the app can do next with what it holds. */
export function ResultActions({ t, tokens, issuer }: ResultActionsProps) {
  return (
    <div className="actions">
      {tokens.refresh_token !== undefined && (
        <form method="post" action="/playground/refresh">
          <button type="submit" className="btn">
            {t('playground.refresh')}
          </button>
        </form>
      )}
      <a className="btn" href="/playground/result?show=validation#validation">
        {t('playground.validate')}
      </a>
      <form method="post" action="/connect/endsession">
        <input type="hidden" name="id_token_hint" value={tokens.id_token} />
        <input type="hidden" name="client_id" value={demoApp.clientId} />
        <input type="hidden" name="post_logout_redirect_uri" value={homeAddress(issuer)} />
        <button type="submit" className="btn">
          {t('playground.signOut')}
        </button>
      </form>
      <a className="btn plain" href="/playground/start">
        {t('playground.restart')}
      </a>
    </div>
  )
}
