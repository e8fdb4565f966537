/** What a user reads when a request is refused and may not be redirected. */

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
  /** `null`: the request has no trace. */
  readonly requestId: string | null
  readonly clientName: string | null
  /** From the extensions, instead of the text of the code. */
  readonly message?: string | null | undefined
  /** For developers; `null` hides it. */
  readonly description: string | null
  readonly mismatch?: Mismatch | undefined
  /** The same address may be requested again: nothing was posted to it. */
  readonly isRepeatable?: boolean | undefined
  /** Requested below `/admin`: the button leads to the dashboard. */
  readonly isInDashboard?: boolean | undefined
  /** Where the user can go on, when the app is known. */
  readonly nextStep?: { readonly href: string | null; readonly isRestart: boolean } | undefined
  /** When it happened. */
  readonly at: Date
}

/** Errors that pass by themselves: their text says to try again. */
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

/** What support asks for: the request ID, which the script lets the user copy, the time, and what the code means. */
function RequestId({ frame: { t, locale }, error }: ErrorPageProps) {
  return (
    <div className="small muted stack">
      {error.requestId !== null && (
        <p>
          {t('errors.reference')}{' '}
          <span className="reference" id="request-id">
            {error.requestId}
          </span>{' '}
          <CopyButton t={t} of="request-id" name={t('errors.reference')} />
        </p>
      )}
      <p>
        <TimeText at={error.at} locale={locale} isZoned />
        {' · '}
        <a href={browserAddress(`/help/errors#${error.code}`)}>{t('errors.explained')}</a>
      </p>
    </div>
  )
}

/** The app is known, but no address of it. */
function StartThere({
  t,
  error: { nextStep, clientName },
}: Pick<ErrorPageProps, 'error'> & { readonly t: Translate }) {
  if (clientName === null || nextStep === undefined || nextStep.href !== null) return null
  return <p>{t('errors.startThere', { app: displayName(clientName, '?') })}</p>
}

/** NOTE: the empty reference is the page's own address, query included. */
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

/** `lang`: the language of the value, if it is not the page's. */
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

/** The usual slip is one character, so the sent redirect URI is followed by the closest registered ones. */
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

/** How many characters two texts have in common at their beginnings. */
function shared(left: string, right: string): number {
  const differs = [...left].findIndex((character, index) => character !== right[index])
  return differs === -1 ? left.length : differs
}
