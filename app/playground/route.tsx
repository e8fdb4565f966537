/** The page of the playground: chooses a client, a flow and parameters, and runs the flow. */

import { DemoUsers } from '#app/_ui/demo-users.tsx'
import { Select, TextField } from '#app/_ui/fields.tsx'
import { hostedPage } from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import { flowsOf, scopeChoices } from '#lib/admin/flow-runs/flows.ts'
import type { PlaygroundClient } from '#lib/admin/playground-clients.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { isPublic } from '#lib/protocol/registration/client.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { prompts } from '#lib/protocol/vocabulary.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { Services } from '#lib/server/services.ts'
import { findClients, redirectUriOf, requirePlayground } from './clients.ts'
import { CodeBlock } from './result/panels.tsx'
import { readRun } from './run.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage('/playground', async page => {
  const { request, query, services } = page
  requirePlayground(services)
  const clients = await findClients(services)
  const chosen = clients.find(({ client }) => client.clientId === query.client) ?? clients[0]
  const shown = {
    frame: pageFrame(page),
    error: query.error,
    clients,
    start: chosen === undefined ? null : await startOf(chosen, request, services),
    hasDemo: services.config.demo,
  }
  return pageReply(shown.frame, <PlaygroundPage {...shown} />)
})

/** The initial choices: those in the address, or the first flow and the suggested scopes of the client. */
async function startOf(chosen: PlaygroundClient, request: Request, services: Services): Promise<Start> {
  const { client } = chosen
  const earlier = readRun(services, request)
  const query = new URL(request.url).searchParams
  const known = (await services.ports.scopes.all()).map(({ scope }) => scope.name)
  const { offered, suggested } = scopeChoices(client, known)
  return {
    chosen,
    flow: query.get('flow'),
    offered,
    scopes: query.has('flow') ? query.getAll('scope') : suggested,
    prompt: query.get('prompt') ?? '',
    acrValues: query.get('acr_values') ?? '',
    maxAge: query.get('max_age') ?? '',
    hasSecret: earlier?.client === client.clientId && earlier.secret !== null,
  }
}

type Start = {
  readonly chosen: PlaygroundClient
  readonly flow: string | null
  /** The scopes that the client may request. */
  readonly offered: readonly string[]
  readonly scopes: readonly string[]
  readonly prompt: string
  readonly acrValues: string
  readonly maxAge: string
  /** Whether the secret of an earlier run of this client is still stored. */
  readonly hasSecret: boolean
}

type PlaygroundPageProps = {
  readonly frame: Frame
  readonly error: string | undefined
  readonly clients: readonly PlaygroundClient[]
  /** The initial choices; `null` if no client can be used. */
  readonly start: Start | null
  readonly hasDemo: boolean
}

function PlaygroundPage({ frame, error, clients, start, hasDemo }: PlaygroundPageProps) {
  const { t, siteName } = frame
  const title = t('playground.title', { name: siteName })
  return (
    <Screen frame={frame} title={title} isProblem={error !== undefined} layout="wide">
      <PageHead app={null} heading={t('playground.heading')}>
        {start !== null && <p className="small muted">{t('playground.lead')}</p>}
      </PageHead>
      {error !== undefined && (
        <Notice kind="bad">
          <Sentence t={t} text="playground.failed" placeholder="error">
            <code className="mono">{displayText(error, 300)}</code>
          </Sentence>
        </Notice>
      )}
      {start === null ? (
        <MissingClient frame={frame} />
      ) : (
        <>
          {clients.length > 1 && <ClientChoice frame={frame} clients={clients} chosen={start.chosen} />}
          <StartForm frame={frame} {...start} />
          {hasDemo && <DemoUsers t={t} />}
          <Steps t={t} />
        </>
      )}
    </Screen>
  )
}

function MissingClient({ frame: { t, issuer } }: { readonly frame: Frame }) {
  return (
    <div className="stack">
      <p>{t('playground.missingClient')}</p>
      <CodeBlock t={t} id="redirect-uri" label={t('playground.redirectUri')}>
        {redirectUriOf(issuer)}
      </CodeBlock>
      <a className="btn wide" href={browserAddress('/admin/clients/new')}>
        {t('playground.newClient')}
      </a>
    </div>
  )
}

type ClientChoiceProps = Pick<PlaygroundPageProps, 'frame' | 'clients'> & Pick<Start, 'chosen'>

function ClientChoice({ frame: { t }, clients, chosen }: ClientChoiceProps) {
  return (
    <nav className="stack" aria-labelledby="clients">
      <h2 id="clients">{t('playground.client')}</h2>
      <ul className="list picks">
        {clients.map(({ client: { clientId, clientName } }) => (
          <li key={clientId}>
            <a
              className="btn small"
              href={browserAddress(`/playground?client=${encodeURIComponent(clientId)}`)}
              aria-current={clientId === chosen.client.clientId ? 'true' : undefined}
            >
              {displayName(clientName, clientId)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function StartForm({
  frame: { t },
  chosen,
  flow,
  offered,
  scopes,
  prompt,
  acrValues,
  maxAge,
  hasSecret,
}: Start & { readonly frame: Frame }) {
  const { client, secret } = chosen
  return (
    <form className="form" method="post" action={browserAddress('/playground/start')}>
      <input type="hidden" name="client" value={client.clientId} />
      <Select
        id="flow"
        label={t('playground.flow')}
        value={flow ?? ''}
        options={flowsOf(client).map(name => [name, t(`playground.flows.${name}`)] as const)}
      />
      <fieldset className="check-columns">
        <legend>{t('playground.scopes')}</legend>
        <p className="small muted">{t('playground.scopesHint')}</p>
        {offered.map(scope => (
          <label className="check" key={scope}>
            <input type="checkbox" name="scope" value={scope} defaultChecked={scopes.includes(scope)} />
            <span className="mono">{scope}</span>
          </label>
        ))}
      </fieldset>
      <Select
        id="prompt"
        label={t('playground.prompt')}
        value={prompt}
        options={[['', t('playground.noPrompt')] as const, ...prompts.map(name => [name, name] as const)]}
      />
      <TextField
        id="acr_values"
        label={t('playground.acrValues')}
        hint={t('playground.acrValuesHint')}
        isStart={false}
        input={{ type: 'text', dir: 'ltr', autoComplete: 'off', required: false, defaultValue: acrValues }}
      />
      <TextField
        id="max_age"
        label={t('playground.maxAge')}
        hint={t('playground.maxAgeHint')}
        isStart={false}
        input={{
          type: 'text',
          dir: 'ltr',
          inputMode: 'numeric',
          autoComplete: 'off',
          required: false,
          defaultValue: maxAge,
        }}
      />
      {secret === null && !isPublic(client) && (
        <TextField
          id="client_secret"
          label={t('playground.secret')}
          hint={t(hasSecret ? 'playground.secretStored' : 'playground.secretHint')}
          input={{ type: 'password', autoComplete: 'off', required: !hasSecret }}
        />
      )}
      <button type="submit" className="btn primary">
        {t('playground.start')}
      </button>
    </form>
  )
}

const steps: ReadonlyArray<readonly [text: MessageKey, endpoint: string]> = [
  ['playground.step1', '/connect/authorize'],
  ['playground.step2', ''],
  ['playground.step3', ''],
  ['playground.step4', '/connect/token'],
]

function Steps({ t }: Pick<Frame, 't'>) {
  return (
    <details>
      <summary>{t('playground.steps')}</summary>
      <ol className="steps">
        {steps.map(([text, endpoint]) => (
          <li key={text}>
            <Sentence t={t} text={text} placeholder="endpoint">
              {endpoint !== '' && <code className="mono">{endpoint}</code>}
            </Sentence>
          </li>
        ))}
      </ol>
    </details>
  )
}
