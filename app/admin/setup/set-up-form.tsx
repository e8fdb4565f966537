/** The form for a new account, and its errors. */

import type { HTMLInputAutoCompleteAttribute } from 'react'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { passwordCharacters } from '#lib/config/limits.ts'
import type { SetUpAttempt } from '#lib/http/step-cookies.ts'

type SetUpFormProps = {
  readonly token: string
  readonly attempt: SetUpAttempt | null
  /** A user is signed in: the first choice is to continue as that user. */
  readonly isSecondChoice: boolean
}

export function SetUpForm({ token, attempt, isSecondChoice }: SetUpFormProps) {
  const errorOf = (path: string) => attempt?.errors.find(error => error.path === path)?.message ?? null
  return (
    <>
      {isSecondChoice && <p className="or">or with a new account</p>}
      <form className="form" method="post" action="/admin/setup/submit" noValidate>
        <input type="hidden" name="token" value={token} />
        <TextField
          name="username"
          label="User name"
          autoComplete="username"
          value={attempt?.username ?? ''}
          error={errorOf('username')}
          isStart={!isSecondChoice}
        />
        <TextField
          name="name"
          label="Your name"
          autoComplete="name"
          value={attempt?.name ?? ''}
          error={errorOf('name')}
          isStart={!isSecondChoice}
        />
        <PasswordField error={errorOf('password')} />
        <SubmitButton look={isSecondChoice ? 'plain' : 'primary'} label="Create account" busy="Setting up…" />
      </form>
    </>
  )
}

type TextFieldProps = {
  readonly name: string
  readonly label: string
  readonly autoComplete: HTMLInputAutoCompleteAttribute
  readonly value: string
  readonly error: string | null
  /** It may have the focus when the page opens. */
  readonly isStart: boolean
}

function TextField({ name, label, autoComplete, value, error, isStart }: TextFieldProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        className="input"
        id={name}
        name={name}
        type="text"
        dir="auto"
        required
        maxLength={255}
        defaultValue={value}
        autoComplete={autoComplete}
        autoCapitalize={name === 'username' ? 'none' : 'words'}
        spellCheck={false}
        data-start={isStart ? '' : undefined}
        {...errorProps(name, error)}
      />
      <FieldError name={name} error={error} />
    </div>
  )
}

function PasswordField({ error }: { readonly error: string | null }) {
  return (
    <div className="field">
      <label htmlFor="password">Password</label>
      <div className="with-button">
        <input
          className="input"
          id="password"
          name="password"
          type="password"
          required
          autoComplete="new-password"
          {...errorProps('password', error)}
        />
        <button
          className="btn"
          type="button"
          hidden
          data-shows="password"
          aria-pressed={false}
          aria-label="Show password"
        >
          Show
        </button>
      </div>
      <p className="small muted" id="password-hint">
        At least {passwordCharacters.minimum} characters; a passphrase is best. Common passwords are refused.
      </p>
      <FieldError name="password" error={error} />
    </div>
  )
}

function FieldError({ name, error }: { readonly name: string; readonly error: string | null }) {
  if (error === null) return null
  return (
    <p className="small text-bad" id={`${name}-error`}>
      {error}
    </p>
  )
}

function errorProps(name: string, error: string | null) {
  const hint = name === 'password' ? ['password-hint'] : []
  const described = [...hint, ...(error === null ? [] : [`${name}-error`])].join(' ')
  return {
    ...(error === null ? {} : ({ 'aria-invalid': true } as const)),
    ...(described === '' ? {} : { 'aria-describedby': described }),
  }
}

export function SetUpProblem({ errors }: Pick<SetUpAttempt, 'errors'>) {
  return (
    <div className="notice bad" id="problem" role="alert" tabIndex={-1} data-focus="">
      <ul className="list">
        {errors.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path === '' ? (
              message
            ) : (
              <a href={`#${path}`}>
                {fieldNames[path] ?? path}: {message}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const fieldNames: Readonly<Record<string, string>> = {
  username: 'User name',
  name: 'Your name',
  password: 'Password',
}
