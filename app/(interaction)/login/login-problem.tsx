/** Why the last try failed: one sentence, the same for every wrong user name and password. */
import { LimitedNotice } from '#app/_ui/limited-notice.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import type { Query } from '#lib/http/page-frame.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import type { ShownProvider } from './sign-in-view.ts'

const texts = {
  credentials: 'login.credentials',
  limited: 'login.limitedSeconds',
  provider_failed: 'login.providerFailed',
  provider_cancelled: 'login.providerCancelled',
  not_allowed: 'login.notAllowed',
  account_refused: 'login.accountRefused',
  missing: 'login.missing',
  expired: 'login.signInExpired',
  message: 'login.notAllowed',
} as const satisfies Record<string, MessageKey>

export type ProblemKind = keyof typeof texts
export type Problem = {
  readonly kind: ProblemKind
  readonly wait: string | undefined
  readonly message: string | null
  /** The scheme that the address names; shown by the name of the provider it belongs to, or not at all. */
  readonly scheme: string | null
}

/** Reads `error`, `wait` and `provider`; null when there was no failure or the word is not ours. `message` is the user service's. */
export function problemOf({ error, wait, provider }: Query, message: string | null = null): Problem | null {
  if (!isKind(error)) return null
  return { kind: error, wait, message, scheme: provider ?? null }
}

type LoginProblemProps = {
  readonly t: Translate
  readonly problem: Problem
  readonly allowsPassword: boolean
  readonly providers: readonly ShownProvider[]
}

export function LoginProblem({ t, problem, allowsPassword, providers }: LoginProblemProps) {
  if (problem.kind === 'limited') return <LimitedNotice t={t} wait={problem.wait} />
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

function isKind(word: string | undefined): word is ProblemKind {
  return word !== undefined && Object.hasOwn(texts, word)
}
