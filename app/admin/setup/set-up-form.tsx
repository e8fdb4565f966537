/** The form for a new account, with its errors. */

import { PasswordField, TextField } from '#app/_ui/fields.tsx'
import { ErrorSummary } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import type { SetUpAttempt } from '#lib/http/step-cookies.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

type SetUpFormProps = {
  readonly t: Translate
  readonly token: string
  readonly attempt: SetUpAttempt | null
  /** The number of characters that the password must have. */
  readonly minimum: number
  /** Whether a user is signed in, so that continuing as that user is the first choice. */
  readonly isSecondChoice: boolean
}

export function SetUpForm({ t, token, attempt, minimum, isSecondChoice }: SetUpFormProps) {
  const field = (id: keyof typeof fieldNames) => ({
    id,
    label: fieldNames[id],
    error: attempt?.errors.find(({ path }) => path === id)?.message,
    isStart: !isSecondChoice,
  })
  const input = { type: 'text', dir: 'auto', maxLength: 255 }
  return (
    <>
      {isSecondChoice && <p className="or">or with a new account</p>}
      <form className="form" method="post" action={browserAddress('/admin/setup')} noValidate>
        <input type="hidden" name="token" value={token} />
        <TextField
          {...field('username')}
          input={{ ...input, autoComplete: 'username', defaultValue: attempt?.username }}
        />
        <TextField
          {...field('name')}
          input={{ ...input, autoComplete: 'name', autoCapitalize: 'words', defaultValue: attempt?.name }}
        />
        <PasswordField
          {...field('password')}
          t={t}
          autoComplete="new-password"
          hint={`At least ${minimum} characters; a passphrase is best. Common passwords are refused.`}
          isLast
        />
        <SubmitButton look={isSecondChoice ? 'plain' : 'primary'} label="Create account" busy="Setting up…" />
      </form>
    </>
  )
}

export function SetUpProblem({ errors }: Pick<SetUpAttempt, 'errors'>) {
  return (
    <ErrorSummary
      errors={errors.map(({ path, message }) =>
        path === ''
          ? { field: null, sentence: message }
          : { field: path, sentence: `${nameOf(path)}: ${message}` },
      )}
    />
  )
}

const fieldNames = { username: 'User name', name: 'Your name', password: 'Password' } as const

function nameOf(path: string): string {
  return Object.entries(fieldNames).find(([name]) => name === path)?.[1] ?? path
}
