/** Fields for a new password, entered twice, with its rules, and the problems of the last attempt. */
import type { Query } from '#lib/http/page-frame.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { PasswordField } from './fields.tsx'
import { ErrorSummary, type FormError, LimitedNotice } from './notice.tsx'

/** The faults: the field of each, and its sentence. */
const faults = {
  missing_current: ['current', 'password.missingCurrent'],
  wrong: ['current', 'password.wrong'],
  missing: ['password', 'password.missing'],
  same: ['password', 'password.same'],
  not_unicode: ['password', 'password.notUnicode'],
  too_short: ['password', 'password.tooShort'],
  too_long: ['password', 'password.tooLong'],
  repeats: ['password', 'password.repeats'],
  personal: ['password', 'password.personal'],
  common: ['password', 'password.common'],
  breached: ['password', 'password.breached'],
  missing_again: ['again', 'password.missingAgain'],
  differs: ['again', 'password.differs'],
} as const satisfies Record<string, readonly [field: string, text: MessageKey]>

type Fault = keyof typeof faults
type PasswordFieldName = (typeof faults)[Fault][0]

export type ChoiceProblem =
  | { readonly kind: 'limited'; readonly wait: string | undefined }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[]; readonly wait: undefined }

/** Reads a problem from the query parameters `error` and `wait`. Returns `null` without a known error. */
export function choiceProblemOf({ error = '', wait }: Query): ChoiceProblem | null {
  if (error === 'limited') return { kind: 'limited', wait }
  const sent = error.split(' ')
  const found = faultNames.filter(fault => sent.includes(fault))
  return found.length === 0 ? null : { kind: 'faults', faults: found, wait: undefined }
}

/** The faults in the order of their fields. */
const faultNames = Object.keys(faults).filter(isFault)

function isFault(word: string): word is Fault {
  return Object.hasOwn(faults, word)
}

type Unfit = { readonly why: readonly string[]; readonly retryAfterSeconds: number }

/** The query that shows the problem on the page of the form. */
export function choiceProblemQuery({ why, retryAfterSeconds: wait }: Unfit): string {
  const waiting = wait > 0 ? [['wait', String(Math.ceil(wait))] as const] : []
  return encodeForm([['error', why.join(' ')], ...waiting])
}

type ProblemProps = {
  readonly t: Translate
  readonly problem: ChoiceProblem | null
  /** The number of characters that the password must have. */
  readonly minimum: number
}

/** The summary of the problems above the form. */
export function ChoiceProblemNotice({ t, problem, minimum }: ProblemProps) {
  if (problem === null) return null
  if (problem.kind === 'limited') return <LimitedNotice t={t} wait={problem.wait} />
  return <ErrorSummary errors={choiceErrors({ t, problem, minimum })} />
}

/** Returns the faults in sentences, each with its field. */
export function choiceErrors({ t, problem, minimum }: ProblemProps): readonly FormError[] {
  if (problem?.kind !== 'faults') return []
  return problem.faults.map(fault => {
    const [field, text] = faults[fault]
    return { field, sentence: t(text, { minimum }) }
  })
}

/** The faults of one field in sentences; `undefined` if it has none. */
export function faultsAt(
  field: PasswordFieldName,
  { t, problem, minimum }: ProblemProps,
): string | undefined {
  if (problem?.kind !== 'faults') return undefined
  const sentences = problem.faults.flatMap(fault => {
    const [at, text] = faults[fault]
    return at === field ? [t(text, { minimum })] : []
  })
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

type ChosenProps = ProblemProps & {
  /** The name under which password managers store the password; `null`: the form has a field for it. */
  readonly username: string | null
}

/** The fields for the new password. */
export function ChosenPassword({ username, ...props }: ChosenProps) {
  const { t } = props
  return (
    <>
      {username !== null && (
        <input type="text" autoComplete="username" defaultValue={username} readOnly hidden />
      )}
      <PasswordField
        t={t}
        id="password"
        label={t('password.new')}
        autoComplete="new-password"
        hint={t('password.hint')}
        error={faultsAt('password', props)}
        below={{ id: 'password-rules', content: <PasswordGuide {...props} /> }}
      />
      <PasswordField
        t={t}
        id="again"
        label={t('password.again')}
        autoComplete="new-password"
        error={faultsAt('again', props)}
        isLast
      />
    </>
  )
}

/** The rules that the browser can check. With script, each shows while the user types whether it is met. */
function PasswordGuide({ t, minimum }: Pick<ProblemProps, 't' | 'minimum'>) {
  const rules = {
    length: t('password.ruleLength', { minimum }),
    own: t('password.ruleOwn'),
    again: t('password.ruleAgain'),
  }
  return (
    <div className="rules small muted" data-guides="password" data-minimum={minimum}>
      <ul className="list" id="password-rules">
        {Object.entries(rules).map(([rule, sentence]) => (
          <li key={rule} data-rule={rule}>
            {sentence}
          </li>
        ))}
      </ul>
      <p aria-live="polite" data-open={t('password.rulesOpen')} data-met={t('password.rulesMet')} />
    </div>
  )
}
