/** The playground: what the main job is, and one button that runs it. */
import { notFound } from 'next/navigation'
import { DemoPeople } from '#app/_ui/demo-people.tsx'
import type { Frame } from '#app/_ui/frame.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import { frameOf, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { displayText } from '#lib/protocol/display-text.ts'
import { callbackAddress, type PlaygroundApp, playgroundApp } from './playground-app.ts'

export default async function PlaygroundPage(input: PageInput) {
  const { error } = await readQuery(input)
  const { services, ...visit } = await readVisit()
  const { isLoopback, demo } = services.config
  if (!isLoopback) notFound()

  const app = await playgroundApp(services)
  const frame = frameOf({ services, ...visit }, { path: '/playground', query: {} })
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
      {app === null ? <MissingClient frame={frame} /> : <StartPanel frame={frame} app={app} hasDemo={demo} />}
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
