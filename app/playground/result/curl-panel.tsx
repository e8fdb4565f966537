import type { Translate } from '#lib/i18n/translate.ts'
import { callbackAddress, type PlaygroundApp } from '../playground-app.ts'
import { CodeBlock } from './code-block.tsx'

type CurlPanelProps = { readonly t: Translate; readonly issuer: string; readonly app: PlaygroundApp }

/** The last step as a command, for a terminal. */
export function CurlPanel({ t, issuer, app: { clientId, clientSecret } }: CurlPanelProps) {
  const command = [
    `curl ${issuer}/connect/token`,
    clientSecret === null ? `-d client_id=${clientId}` : `-u ${clientId}:${clientSecret}`,
    '-d grant_type=authorization_code',
    `-d redirect_uri=${callbackAddress(issuer)}`,
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
