import type { Translate } from '#lib/i18n/translate.ts'
import { callbackAddress, demoApp } from '../demo-app.ts'

type CurlPanelProps = { readonly t: Translate; readonly issuer: string }

/** The last step as a command, for a terminal. */
export function CurlPanel({ t, issuer }: CurlPanelProps) {
  const command = [
    `curl ${issuer}/connect/token`,
    `-u ${demoApp.clientId}:${demoApp.clientSecret}`,
    '-d grant_type=authorization_code',
    `-d redirect_uri=${callbackAddress(issuer)}`,
    '-d code=$CODE',
    '-d code_verifier=$VERIFIER',
  ]
  return (
    <section className="panel" aria-labelledby="curl">
      <header>
        <h2 id="curl">{t('playground.curl')}</h2>
        <p className="small muted">{t('playground.curlHint')}</p>
      </header>
      <pre className="code" dir="ltr">
        {command.join(' \\\n  ')}
      </pre>
    </section>
  )
}
