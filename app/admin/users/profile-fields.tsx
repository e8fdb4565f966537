/** The fields of a user: the user name and the claims. */
import { isFlag, otherClaimsText, profileClaims } from '#lib/admin/users/user-resource.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { CheckField, TextArea, TextField } from '../_ui/fields.tsx'
import type { FieldState } from '../_ui/form.tsx'

type ProfileFieldsProps = {
  readonly username: string
  readonly claims: Readonly<Record<string, JsonValue>>
  readonly state: FieldState
}

export const profileLabels = {
  username: 'User name',
  ...Object.fromEntries(Object.entries(profileClaims).map(([name, label]) => [`claims.${name}`, label])),
  claims: 'Other claims',
} as const

export function ProfileFields({ username, claims, state }: ProfileFieldsProps) {
  return (
    <>
      <TextField
        {...state.text('username', username)}
        help="The name that the user types to sign in."
        isRequired
      />
      <div className="columns">
        {Object.entries(profileClaims).map(([name, label]) => (
          <Claim key={name} name={name} label={label} stored={claims[name]} state={state} />
        ))}
      </div>
      <TextArea
        {...state.text('claims', otherClaimsText(claims))}
        help={'As JSON, such as {"role": ["editor"]}.'}
        rows={4}
      />
    </>
  )
}

type ClaimProps = {
  readonly name: string
  readonly label: string
  readonly stored: JsonValue | undefined
  readonly state: FieldState
}

function Claim({ name, label, stored, state }: ClaimProps) {
  const value = state.value(name, stored === undefined || stored === null ? '' : String(stored))
  const error = state.error(`claims.${name}`)
  if (isFlag(name)) return <CheckField name={name} label={label} error={error} isOn={value === 'true'} />
  return <TextField name={name} label={label} value={value} error={error} />
}
