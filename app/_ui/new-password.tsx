/** A new password, entered twice, and the problem of the last attempt. */
import { passwordCharacters } from '#lib/config/limits.ts'
import type { Query } from '#lib/http/page-frame.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { PasswordField } from './fields.tsx'
import { LimitedNotice, Notice } from './notice.tsx'

const texts = {
  missing: 'password.missing',
  differs: 'password.differs',
  same: 'password.same',
  wrong: 'password.wrong',
  not_unicode: 'password.notUnicode',
  too_short: 'password.tooShort',
  too_long: 'password.tooLong',
  repeats: 'password.repeats',
  personal: 'password.personal',
  common: 'password.common',
  limited: 'login.limitedSeconds',
} as const satisfies Record<string, MessageKey>

type Kind = keyof typeof texts
export type ChoiceProblem = { readonly kind: Kind; readonly wait: string | undefined }

/** From `error` and `wait` of the address; `null` for an error that this page does not have. */
export function choiceProblemOf({ error, wait }: Query): ChoiceProblem | null {
  return isKind(error) ? { kind: error, wait } : null
}

type Unfit = { readonly why: string; readonly retryAfterSeconds: number }

/** The query with which a form returns to its page. */
export function choiceProblemQuery({ why, retryAfterSeconds: wait }: Unfit): string {
  const waiting = wait > 0 ? [['wait', String(Math.ceil(wait))] as const] : []
  return encodeForm([['error', why], ...waiting])
}

type ProblemProps = { readonly t: Translate; readonly problem: ChoiceProblem | null }

export function ChoiceProblemNotice({ t, problem }: ProblemProps) {
  if (problem === null) return null
  if (problem.kind === 'limited') return <LimitedNotice t={t} wait={problem.wait} />
  return (
    <Notice kind="bad" id="problem">
      {t(texts[problem.kind], { minimum: passwordCharacters.minimum })}
    </Notice>
  )
}

/** The user name is for password managers, which store the new password under it. */
export function ChosenPassword({ t, problem, username }: ProblemProps & { readonly username: string }) {
  const isAboutThese = problem !== null && problem.kind !== 'wrong' && problem.kind !== 'limited'
  return (
    <>
      <input type="text" autoComplete="username" defaultValue={username} readOnly hidden />
      <PasswordField
        t={t}
        id="password"
        label={t('password.new')}
        autoComplete="new-password"
        hint={t('password.hint', { minimum: passwordCharacters.minimum })}
        isWrong={isAboutThese}
      />
      <PasswordField
        t={t}
        id="again"
        label={t('password.again')}
        autoComplete="new-password"
        isLast
        isWrong={isAboutThese}
      />
    </>
  )
}

function isKind(word: string | undefined): word is Kind {
  return word !== undefined && Object.hasOwn(texts, word)
}
