/** The fields of a user: the user name and the claims. */
import { otherClaimsText, profileClaims } from '#lib/admin/users/user-resource.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { CheckField, TextArea, TextField } from '../_ui/fields.tsx'
import type { FieldState } from '../_ui/form.tsx'

type ProfileFieldsProps = {
  readonly username: string
  readonly claims: Readonly<Record<string, JsonValue>>
  readonly state: FieldState
}

const claimLabels: Readonly<Record<(typeof profileClaims)[number], string>> = {
  name: 'Full name',
  given_name: 'Given name',
  family_name: 'Family name',
  nickname: 'Nickname',
  email: 'Email',
  email_verified: 'Email is verified',
  phone_number: 'Phone',
  phone_number_verified: 'Phone is verified',
  website: 'Website',
  picture: 'Picture',
  zoneinfo: 'Time zone',
  locale: 'Language',
}

export const profileLabels = {
  username: 'User name',
  ...Object.fromEntries(profileClaims.map(name => [`claims.${name}`, claimLabels[name]])),
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
        {profileClaims.map(name => (
          <Claim key={name} name={name} stored={claims[name]} state={state} />
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
  readonly name: (typeof profileClaims)[number]
  readonly stored: JsonValue | undefined
  readonly state: FieldState
}

function Claim({ name, stored, state }: ClaimProps) {
  const value = state.value(name, stored === undefined || stored === null ? '' : String(stored))
  const error = state.error(`claims.${name}`)
  if (name.endsWith('_verified'))
    return <CheckField name={name} label={claimLabels[name]} error={error} isOn={value === 'true'} />
  return <TextField name={name} label={claimLabels[name]} value={value} error={error} />
}
