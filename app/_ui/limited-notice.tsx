/** Too many failed attempts: the script counts down; without it the text stays close enough. */
import type { Translate } from '#lib/i18n/translate.ts'
import { Notice } from './notice.tsx'

const longestWaitSeconds = 86_400
/** Beyond this, seconds are noise. */
const inMinutesFromSeconds = 90

/** `wait` as an address has it. */
export function LimitedNotice({ t, wait }: { readonly t: Translate; readonly wait: string | undefined }) {
  const seconds = waitSeconds(wait)
  const text =
    seconds > inMinutesFromSeconds
      ? t('login.limitedMinutes', { minutes: Math.ceil(seconds / 60) })
      : t('login.limitedSeconds', { seconds })
  return (
    <Notice kind="bad" id="problem">
      <span
        data-wait={seconds}
        data-one={t('login.limitedSeconds', { seconds: 1 })}
        data-many={t('login.limitedSeconds', { seconds: 77 }).replace('77', '{n}')}
        data-over={t('login.limitedOver')}
      >
        {text}
      </span>
    </Notice>
  )
}

/** The status of a page that shows `problem`, and when to try again (RFC 9110 10.2.3). */
export function pageStatusOf(problem: { readonly kind: string; readonly wait: string | undefined } | null) {
  if (problem?.kind !== 'limited') return {}
  return { status: 429, headers: { 'retry-after': String(waitSeconds(problem.wait)) } }
}

function waitSeconds(wait: string | undefined): number {
  const seconds = /^\d{1,6}$/.test(wait ?? '') ? Number(wait) : 0
  return Math.min(Math.max(seconds, 1), longestWaitSeconds)
}
