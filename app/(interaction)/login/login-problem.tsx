/** Why the last try failed: one sentence, the same for every wrong user name and password. */
import { Notice } from '#app/_ui/notice.tsx'
import type { Query } from '#app/_ui/visit.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { displayName, displayText } from '#lib/protocol/display-text.ts'
import type { ShownProvider } from './sign-in-view.ts'

const texts = {
  credentials: 'login.credentials',
  limited: 'login.limitedSeconds',
  provider_failed: 'login.providerFailed',
  provider_cancelled: 'login.providerCancelled',
  not_allowed: 'login.notAllowed',
  missing: 'login.missing',
  expired: 'login.signInExpired',
  message: 'login.notAllowed',
} as const satisfies Record<string, MessageKey>

export type ProblemKind = keyof typeof texts
export type Problem = {
  readonly kind: ProblemKind
  readonly waitSeconds: number
  readonly message: string | null
  /** The scheme that the address names; shown by the name of the provider it belongs to, or not at all. */
  readonly scheme: string | null
}

const longestWaitSeconds = 86_400
/** Beyond this, seconds are noise. */
const inMinutesFromSeconds = 90

/** Reads `error`, `wait` and `provider`; null when there was no failure or the word is not ours. `message` is the user service's. */
export function problemOf({ error, wait, provider }: Query, message: string | null = null): Problem | null {
  if (!isKind(error)) return null
  const seconds = /^\d{1,6}$/.test(wait ?? '') ? Number(wait) : 0
  return {
    kind: error,
    waitSeconds: Math.min(Math.max(seconds, 1), longestWaitSeconds),
    message,
    scheme: provider ?? null,
  }
}

type LoginProblemProps = {
  readonly t: Translate
  readonly problem: Problem
  readonly allowsPassword: boolean
  readonly providers: readonly ShownProvider[]
}

export function LoginProblem({ t, problem, allowsPassword, providers }: LoginProblemProps) {
  if (problem.kind === 'limited') return <Limited t={t} seconds={problem.waitSeconds} />
  const said =
    problem.kind === 'message' && problem.message !== null ? displayText(problem.message, 300) : null
  const isPasswordRefused = problem.kind === 'not_allowed' && !allowsPassword
  const provider = providerName(t, problem, providers)
  return (
    <Notice kind="bad" id="problem">
      {said ?? t(isPasswordRefused ? 'login.notAllowedLocal' : texts[problem.kind], { provider })}
    </Notice>
  )
}

function providerName(t: Translate, { scheme }: Problem, providers: readonly ShownProvider[]): string {
  const provider = providers.find(each => each.scheme === scheme)
  return provider === undefined ? t('login.aProvider') : displayName(provider.displayName, provider.scheme)
}

/** Script counts down; without it the sentence stays true enough. */
function Limited({ t, seconds }: { readonly t: Translate; readonly seconds: number }) {
  const text =
    seconds > inMinutesFromSeconds
      ? t('login.limitedMinutes', { minutes: Math.ceil(seconds / 60) })
      : t('login.limitedSeconds', { seconds })
  return (
    <Notice kind="bad" id="problem">
      <span
        suppressHydrationWarning
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

function isKind(word: string | undefined): word is ProblemKind {
  return word !== undefined && Object.hasOwn(texts, word)
}
