/** A new password, entered twice, and the problem of the last one. */
import { passwordCharacters } from '#lib/config/limits.ts'
import type { Query } from '#lib/http/page-frame.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { LimitedNotice } from './limited-notice.tsx'
import { Notice } from './notice.tsx'
import { PasswordField } from './password-field.tsx'

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

/** Reads `error` and `wait`; null when the word is not ours. */
export function choiceProblemOf({ error, wait }: Query): ChoiceProblem | null {
  return isKind(error) ? { kind: error, wait } : null
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

/** The name is for password managers: they keep what is chosen here under it. */
export function ChosenPassword({ t, problem, username }: ProblemProps & { readonly username: string }) {
  const isAboutThese = problem !== null && problem.kind !== 'wrong' && problem.kind !== 'limited'
  const flawed = (description: string) =>
    isAboutThese ? { 'aria-invalid': true, 'aria-describedby': description } : {}
  return (
    <>
      <input type="text" autoComplete="username" defaultValue={username} readOnly hidden />
      <PasswordField
        t={t}
        id="password"
        label={t('password.new')}
        autoComplete="new-password"
        hint={t('password.hint', { minimum: passwordCharacters.minimum })}
        flaw={flawed('problem password-hint')}
      />
      <PasswordField
        t={t}
        id="again"
        label={t('password.again')}
        autoComplete="new-password"
        isLast
        flaw={flawed('problem')}
      />
    </>
  )
}

function isKind(word: string | undefined): word is Kind {
  return word !== undefined && Object.hasOwn(texts, word)
}
