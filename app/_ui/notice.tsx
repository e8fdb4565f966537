/** Notices about what happened. A problem is announced by screen readers, and gets the focus if script runs. */
import type { ReactNode } from 'react'
import type { Translate } from '#lib/i18n/translate.ts'

type NoticeProps = {
  readonly kind: 'bad' | 'warn' | 'good' | 'plain'
  readonly id?: string
}

export function Notice({ children, ...box }: NoticeProps & { readonly children: ReactNode }) {
  return (
    <NoticeBox {...box}>
      <p>{children}</p>
    </NoticeBox>
  )
}

export type FormError = {
  /** The id of the field; `null`: the error is about no single field. */
  readonly field: string | null
  readonly sentence: string
}

/** All errors of a form, each with a link to its field. */
export function ErrorSummary({ errors }: { readonly errors: readonly FormError[] }) {
  return (
    <NoticeBox kind="bad" id="problem">
      <ul className="list stack">
        {errors.map(({ field, sentence }) => (
          <li key={`${field} ${sentence}`}>
            {field === null ? sentence : <a href={`#${field}`}>{sentence}</a>}
          </li>
        ))}
      </ul>
    </NoticeBox>
  )
}

function NoticeBox({ kind, children, id }: NoticeProps & { readonly children: ReactNode }) {
  const className = kind === 'plain' ? 'notice' : `notice ${kind}`
  const announced = kind === 'bad' ? { role: 'alert', tabIndex: -1, 'data-focus': '' } : {}
  return (
    <div className={className} id={id} role={kind === 'good' ? 'status' : undefined} {...announced}>
      {children}
    </div>
  )
}

const longestWaitSeconds = 86_400
/** The longest wait that is shown in seconds and not in minutes. */
const longestInSeconds = 90

/** The notice after too many attempts. Script counts down its last 90 seconds. `wait` is the parameter in the address. */
export function LimitedNotice({ t, wait }: { readonly t: Translate; readonly wait: string | undefined }) {
  const seconds = waitSeconds(wait)
  return (
    <Notice kind="bad" id="problem">
      <span
        data-wait={seconds}
        data-one={t('login.limitedSeconds', { seconds: 1 })}
        data-many={t('login.limitedSeconds', { seconds: 77 }).replace('77', '{n}')}
        data-over={t('login.limitedOver')}
      >
        {seconds > longestInSeconds
          ? t('login.limitedMinutes', { minutes: Math.ceil(seconds / 60) })
          : t('login.limitedSeconds', { seconds })}
      </span>
    </Notice>
  )
}

/** Status 429 and `Retry-After` (RFC 9110 10.2.3) for a page that shows a rate limit; otherwise empty. */
export function pageStatusOf(problem: { readonly kind: string; readonly wait: string | undefined } | null) {
  if (problem?.kind !== 'limited') return {}
  return { status: 429, headers: { 'retry-after': String(waitSeconds(problem.wait)) } }
}

function waitSeconds(wait: string | undefined): number {
  const seconds = /^\d{1,6}$/.test(wait ?? '') ? Number(wait) : 0
  return Math.min(Math.max(seconds, 1), longestWaitSeconds)
}
