/** The playground: what the main job is, and one button that runs it. */
import { notFound } from 'next/navigation'
import type { Frame } from '#app/_ui/frame.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import { frameOf, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { displayText } from '#lib/protocol/display-text.ts'
import { demoApp } from './demo-app.ts'

export default async function PlaygroundPage(input: PageInput) {
  const { error } = await readQuery(input)
  const visit = await readVisit()
  const { isLoopback, demo } = visit.services.config
  if (!isLoopback) notFound()

  const frame = frameOf(visit, { path: '/playground', query: {} })
  const { t, siteName } = frame
  return (
    <Screen
      frame={frame}
      title={t('playground.title', { name: siteName })}
      isProblem={error !== undefined}
      layout="wide"
    >
      <PageHead app={null} heading={t('playground.heading')}>
        <p className="small muted">{t('playground.lead')}</p>
      </PageHead>
      {error !== undefined && (
        <Notice kind="bad">
          {t('playground.failed')}.{' '}
          <Sentence t={t} text="playground.failedBody" placeholder="error">
            <code className="mono">{displayText(error, 60)}</code>
          </Sentence>
        </Notice>
      )}
      <Steps frame={frame} />
      {demo ? <StartPanel frame={frame} /> : <Notice kind="warn">{t('playground.missingClient')}</Notice>}
    </Screen>
  )
}

const steps: ReadonlyArray<readonly [text: MessageKey, endpoint: string]> = [
  ['playground.step1', '/connect/authorize'],
  ['playground.step2', ''],
  ['playground.step3', ''],
  ['playground.step4', '/connect/token'],
]

function Steps({ frame: { t } }: { readonly frame: Frame }) {
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

function StartPanel({ frame: { t } }: { readonly frame: Frame }) {
  return (
    <>
      <dl className="facts">
        <dt>{t('playground.client')}</dt>
        <dd className="mono">{demoApp.clientId}</dd>
        <dt>{t('playground.scopes')}</dt>
        <dd className="mono">{demoApp.scopes}</dd>
      </dl>
      <a className="btn primary wide" href="/playground/start">
        {t('playground.start')}
      </a>
    </>
  )
}
