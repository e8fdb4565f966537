/** The form fields of a user: the user name and the claims. */
import { flaggedClaim, isFlag, otherClaimsText, profileClaims } from '#lib/admin/users/user-resource.ts'
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

/** The texts of the fields for claims that a user does not have. */
export const absentClaims = Object.fromEntries(
  Object.keys(profileClaims)
    .filter(name => !isFlag(name))
    .map(name => [name, ['']]),
)

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
          <Claim key={name} name={name} label={label} claims={claims} state={state} />
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
  readonly claims: ProfileFieldsProps['claims']
  readonly state: FieldState
}

function Claim({ name, label, claims, state }: ClaimProps) {
  const value = state.value(name, String(claims[name] ?? ''))
  const error = state.error(`claims.${name}`)
  if (!isFlag(name)) return <TextField name={name} label={label} value={value} error={error} />
  // If the user has an email address but no `email_verified`, for example, the unticked box must not add the claim
  const isAbsent = !isGiven(claims[name]) && isGiven(claims[flaggedClaim(name)])
  const off = isAbsent ? '' : 'false'
  return <CheckField name={name} label={label} error={error} isOn={value === 'true'} off={off} />
}

function isGiven(claim: JsonValue | undefined): boolean {
  return claim !== undefined && claim !== null
}
