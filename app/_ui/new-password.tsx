/** Fields for a new password, entered twice, and the problems of the last attempt. */
import { passwordCharacters } from '#lib/config/limits.ts'
import type { Query } from '#lib/http/page-frame.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { PasswordField } from './fields.tsx'
import { LimitedNotice, ListNotice, Notice } from './notice.tsx'

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
} as const satisfies Record<string, MessageKey>

type Fault = keyof typeof texts
/** Faults whose sentences give a reason but no advice. */
const needingReplacement: ReadonlySet<Fault> = new Set(['not_unicode', 'repeats', 'personal', 'common'])

export type ChoiceProblem =
  | { readonly kind: 'limited'; readonly wait: string | undefined }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[]; readonly wait: undefined }

/** Reads a problem from the query parameters `error` and `wait`. Returns `null` without a known error. */
export function choiceProblemOf({ error = '', wait }: Query): ChoiceProblem | null {
  if (error === 'limited') return { kind: 'limited', wait }
  const faults = [...new Set(error.split(' '))].filter(isFault)
  return faults.length === 0 ? null : { kind: 'faults', faults, wait: undefined }
}

type Unfit = { readonly why: readonly string[]; readonly retryAfterSeconds: number }

/** The query that shows the problem on the page of the form. */
export function choiceProblemQuery({ why, retryAfterSeconds: wait }: Unfit): string {
  const waiting = wait > 0 ? [['wait', String(Math.ceil(wait))] as const] : []
  return encodeForm([['error', why.join(' ')], ...waiting])
}

type ProblemProps = { readonly t: Translate; readonly problem: ChoiceProblem | null }

export function ChoiceProblemNotice({ t, problem }: ProblemProps) {
  if (problem === null) return null
  if (problem.kind === 'limited') return <LimitedNotice t={t} wait={problem.wait} />
  const sentences = problem.faults.map(fault => t(texts[fault], { minimum: passwordCharacters.minimum }))
  if (sentences.length > 1) return <ListNotice kind="bad" id="problem" sentences={sentences} />
  const needsReplacement = problem.faults.some(fault => needingReplacement.has(fault))
  return (
    <Notice kind="bad" id="problem">
      {sentences} {needsReplacement && t('password.chooseOther')}
    </Notice>
  )
}

/** The fields for the new password. The user name is for password managers, which store the password under it. */
export function ChosenPassword({ t, problem, username }: ProblemProps & { readonly username: string }) {
  const isAboutThese = problem?.kind === 'faults' && !isCurrentWrong(problem)
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

/** Whether the current password is wrong. No fault of the new password is then reported. */
export function isCurrentWrong(problem: ChoiceProblem | null): boolean {
  return problem?.kind === 'faults' && problem.faults.includes('wrong')
}

function isFault(word: string): word is Fault {
  return Object.hasOwn(texts, word)
}
