/** The playground: what the main job is, and one button that runs it. */
import { DemoPeople } from '#app/_ui/demo-people.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import { endpoint } from '#lib/http/endpoint.ts'
import { errorReply, refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageQuery, pageReply } from '#lib/http/page-frame.ts'
import { refusedWith } from '#lib/http/refused.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { services } from '#lib/server/services.ts'
import { callbackAddress, type PlaygroundApp, playgroundApp } from './playground-app.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/playground',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { request, services: s } = exchange
    const { isLoopback, demo } = s.config
    if (!isLoopback) return errorReply(refusedWith('not_found'), exchange)
    const frame = pageFrame(exchange)
    const page = { frame, error: pageQuery(request).error, app: await playgroundApp(s), hasDemo: demo }
    return pageReply(frame, <PlaygroundPage {...page} />)
  },
})

type PlaygroundPageProps = {
  readonly frame: Frame
  readonly error: string | undefined
  readonly app: PlaygroundApp | null
  readonly hasDemo: boolean
}

function PlaygroundPage({ frame, error, app, hasDemo }: PlaygroundPageProps) {
  const { t, siteName } = frame
  const title = t('playground.title', { name: siteName })
  return (
    <Screen frame={frame} title={title} isProblem={error !== undefined} layout="wide">
      <PageHead app={null} heading={t('playground.heading')}>
        {app !== null && <p className="small muted">{t('playground.lead')}</p>}
      </PageHead>
      {error !== undefined && (
        <Notice kind="bad">
          <Sentence t={t} text="playground.failed" placeholder="error">
            <code className="mono">{displayText(error, 60)}</code>
          </Sentence>
        </Notice>
      )}
      {app === null ? <MissingClient frame={frame} /> : <StartPanel {...{ frame, app, hasDemo }} />}
    </Screen>
  )
}

function MissingClient({ frame: { t, issuer } }: { readonly frame: Frame }) {
  return (
    <p>
      <Sentence t={t} text="playground.missingClient" placeholder="callback">
        <code className="mono">{callbackAddress(issuer)}</code>
      </Sentence>
    </p>
  )
}

type StartPanelProps = { readonly frame: Frame; readonly app: PlaygroundApp; readonly hasDemo: boolean }

function StartPanel({ frame: { t }, app, hasDemo }: StartPanelProps) {
  return (
    <>
      <dl className="facts">
        <dt>{t('playground.client')}</dt>
        <dd className="mono">{app.clientId}</dd>
        <dt>{t('playground.scopes')}</dt>
        <dd className="mono">{app.scopes}</dd>
      </dl>
      {hasDemo && <DemoPeople t={t} />}
      <a className="btn primary wide" href="/playground/start">
        {t('playground.start')}
      </a>
      <Steps t={t} />
    </>
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
    <section aria-labelledby="steps">
      <h2 id="steps">{t('playground.steps')}</h2>
      <ol className="steps">
        {steps.map(([text, endpoint]) => (
          <li key={text}>
            <Sentence t={t} text={text} placeholder="endpoint">
              {endpoint !== '' && <code className="mono">{endpoint}</code>}
            </Sentence>
          </li>
        ))}
      </ol>
    </section>
  )
}
