/** The field for a code of an authenticator app. */
import { secondFactors as limits } from '#lib/config/limits.ts'
import { TextField } from './fields.tsx'

type TotpFieldProps = {
  readonly label: string
  readonly hint?: string
  readonly isWrong: boolean
  /** Whether the field may get the focus when the page opens. */
  readonly isStart?: boolean
}

/** Phones show digits, and offer a code that they know. Spaces and more digits can be typed: see `parseTotp`. */
export function TotpField(field: TotpFieldProps) {
  return (
    <TextField
      {...field}
      id="code"
      input={{
        type: 'text',
        dir: 'ltr',
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
        maxLength: limits.typedCharacters,
        enterKeyHint: 'go',
      }}
    />
  )
}
