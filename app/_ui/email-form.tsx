/** The form in which users enter their email address, and its problems. */
import type { ReactNode } from 'react'
import type { Query } from '#lib/http/page-frame.ts'
import { withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { EmailChangeRequested } from '#lib/identity/email-change/request-email-change.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { TextField } from './fields.tsx'
import { LimitedNotice, Notice } from './notice.tsx'
import { SubmitButton } from './submit-button.tsx'

const problemTexts = {
  invalid: 'emailChange.invalid',
  same: 'emailChange.same',
} as const satisfies Record<string, MessageKey>

export type EmailProblem = {
  readonly kind: keyof typeof problemTexts | 'limited'
  readonly wait: string | undefined
}

export function emailProblemOf({ error, wait }: Query): EmailProblem | null {
  return error === 'invalid' || error === 'same' || error === 'limited' ? { kind: error, wait } : null
}

/** Redirects back to the form with the problem. */
export function emailRefused(
  path: string,
  outcome: Exclude<EmailChangeRequested, { kind: 'requested' }>,
  query: ReadonlyArray<readonly [name: string, value: string]> = [],
): Reply {
  const wait = outcome.kind === 'limited' ? String(Math.ceil(outcome.retryAfterSeconds)) : null
  return seeOther(withQuery(path, [...query, ['error', outcome.kind], ['wait', wait]]))
}

export function EmailProblemNotice({ frame: { t }, problem }: Pick<EmailFormProps, 'frame' | 'problem'>) {
  if (problem === null) return null
  if (problem.kind === 'limited') return <LimitedNotice t={t} wait={problem.wait} />
  return (
    <Notice kind="bad" id="problem">
      {t(problemTexts[problem.kind])}
    </Notice>
  )
}

type EmailFormProps = {
  readonly frame: Frame
  readonly action: string
  readonly label: MessageKey
  readonly problem: EmailProblem | null
  /** The address that the field contains; `null`: none. */
  readonly address: string | null
  /** The hidden fields. */
  readonly children: ReactNode
}

export function EmailForm({ frame: { t }, action, label, problem, address, children }: EmailFormProps) {
  return (
    <form className="form" method="post" action={browserAddress(action)}>
      {children}
      <TextField
        id="email"
        label={t(label)}
        isWrong={problem !== null && problem.kind !== 'limited'}
        input={{
          type: 'email',
          dir: 'ltr',
          maxLength: 254,
          autoComplete: 'email',
          enterKeyHint: 'send',
          ...(address === null ? {} : { defaultValue: address }),
        }}
      />
      <SubmitButton label={t('emailChange.submit')} busy={t('recovery.busy')} />
    </form>
  )
}
