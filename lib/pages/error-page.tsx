/** The page of an error: its text, the details for developers, and the way to continue. */

import { type ErrorCode, pageTextOf } from '#lib/errors/catalog.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { CopyButton } from './copy-button.tsx'
import type { Frame } from './frame.ts'
import { PageHead } from './page-head.tsx'
import { Screen } from './screen.tsx'
import { TimeText } from './time-text.tsx'

const longestName = 60
const longestUri = 300
const longestMessage = 300

/** A redirect URI that was sent, and those that are registered. */
export type Mismatch = { readonly sent: string; readonly registered: readonly string[] }

export type ErrorPageContent = {
  readonly code: ErrorCode
  readonly requestId: string
  readonly clientName: string | null
  /** The message of an extension, which replaces the text of the code. */
  readonly message?: string | null | undefined
  /** The details for developers; `null` hides them. */
  readonly description: string | null
  readonly mismatch?: Mismatch | undefined
  /** Whether the same address may be requested again: nothing was posted to it. */
  readonly isRepeatable?: boolean | undefined
  /** Whether the address is below `/admin`, so that the button leads to the dashboard. */
  readonly isInDashboard?: boolean | undefined
  /**
   * The way to continue, if the app is known. `href`: the URL, if the app has one. `isRestart`: the URL starts the
   * sign-in again.
   */
  readonly nextStep?: { readonly href: string | null; readonly isRestart: boolean } | undefined
  /** The time of the error. */
  readonly at: Date
}

/** Temporary errors, whose text recommends a retry. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'server_error',
  'temporarily_unavailable',
  'too_many_requests',
])

type ErrorPageProps = { readonly frame: Frame; readonly error: ErrorPageContent }

export function ErrorPage({ frame, error }: ErrorPageProps) {
  const { t } = frame
  const text = pageTextOf(error.code)
  const title = t(`errors.${text}.title`)
  return (
    <Screen frame={frame} title={title} isProblem>
      <PageHead app={null} heading={title} />
      <p className="muted">
        {error.message ? displayText(error.message, longestMessage) : t(`errors.${text}.body`)}
      </p>
      <StartThere t={t} error={error} />
      {error.description !== null && <DeveloperDetails t={t} error={error} description={error.description} />}
      <NextStep frame={frame} error={error} />
      <RequestId frame={frame} error={error} />
    </Screen>
  )
}

export function isPassing(code: ErrorCode): boolean {
  return passing.has(code)
}

/** The data that support needs: the request ID, which a script can copy, the time, and the meaning of the code. */
function RequestId({ frame: { t, locale }, error }: ErrorPageProps) {
  return (
    <div className="small muted stack">
      <p>
        {t('errors.reference')}{' '}
        <span className="reference" id="request-id">
          {error.requestId}
        </span>{' '}
        <CopyButton t={t} of="request-id" name={t('errors.reference')} />
      </p>
      <p>
        <TimeText at={error.at} locale={locale} isZoned />
        {' · '}
        <a href={browserAddress(`/help/errors#${error.code}`)}>{t('errors.explained')}</a>
      </p>
    </div>
  )
}

/** The advice to start again in the app, if the app is known, but none of its addresses. */
function StartThere({
  t,
  error: { nextStep, clientName },
}: Pick<ErrorPageProps, 'error'> & { readonly t: Translate }) {
  if (clientName === null || nextStep === undefined || nextStep.href !== null) return null
  return <p>{t('errors.startThere', { app: displayName(clientName, '?') })}</p>
}

/** The button to continue. NOTE: an empty `href` is the page's own address, including the query. */
function NextStep({ frame: { t, siteName }, error }: ErrorPageProps) {
  const { code, isRepeatable = false, isInDashboard = false, nextStep, clientName } = error
  if (nextStep !== undefined && nextStep.href !== null) {
    return (
      <a className="btn primary wide" href={browserAddress(nextStep.href)} rel="noreferrer">
        {t(nextStep.isRestart ? 'errors.restart' : 'finished.continue', {
          app: displayName(clientName, '?'),
        })}
      </a>
    )
  }
  const home = isInDashboard ? ['/admin', 'Go to the dashboard'] : ['/', t('errors.home', { site: siteName })]
  const [href, text] = isRepeatable && isPassing(code) ? ['', t('errors.again')] : home
  return (
    <a className="btn wide" href={browserAddress(href)}>
      {text}
    </a>
  )
}

/** A row of the details. `lang`: the language of the value, if it is not the page's. */
type Row = { readonly name: string; readonly value: string; readonly lang?: 'en' }

type DeveloperDetailsProps = {
  readonly t: Translate
  readonly error: ErrorPageContent
  readonly description: string
}

function DeveloperDetails({ t, error, description }: DeveloperDetailsProps) {
  const { code, clientName, mismatch } = error
  const rows: readonly Row[] = [
    { name: t('errors.code'), value: code },
    { name: t('errors.description'), value: description, lang: 'en' },
    ...(clientName === null ? [] : [{ name: t('errors.app'), value: displayText(clientName, longestName) }]),
    ...mismatchRows(t, mismatch),
  ]
  return (
    <details open>
      <summary>{t('errors.details')}</summary>
      <dl className="facts">
        {rows.map(({ name, value, lang }) => (
          <div className="fact" key={`${name} ${value}`}>
            <dt>{name}</dt>
            <dd lang={lang}>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Lists the sent redirect URI and the most similar registered ones: often a single character differs. */
function mismatchRows(t: Translate, mismatch: Mismatch | undefined): readonly Row[] {
  if (mismatch === undefined) return []
  const { sent, registered } = mismatch
  const closest = registered.toSorted((left, right) => shared(right, sent) - shared(left, sent))
  return [
    { name: t('errors.sent'), value: displayText(sent, longestUri) },
    ...closest
      .slice(0, 3)
      .map(uri => ({ name: t('errors.registered'), value: displayText(uri, longestUri) })),
  ]
}

/** Returns the number of characters that two texts have in common at their beginnings. */
function shared(left: string, right: string): number {
  const differs = [...left].findIndex((character, index) => character !== right[index])
  return differs === -1 ? left.length : differs
}
