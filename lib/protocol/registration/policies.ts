/**
 * The policies of the site: how users get an account, and what is required of users. They are one record, changed in the
 * dashboard or by the section `policies` of the configuration file.
 */
import { z } from 'zod'
import { passwordCharacters } from '#lib/config/limits.ts'
import type { Claims } from '../claims.ts'
import { described, strictFields, webAddressSchema } from './fields.ts'

/** The claims that the registration form can ask for. */
export const registrationFields = [
  'name',
  'given_name',
  'family_name',
  'nickname',
  'phone_number',
  'birthdate',
  'website',
] as const
export type RegistrationField = (typeof registrationFields)[number]

const fieldChoices: Readonly<Record<RegistrationField, string>> = {
  name: 'Full name',
  given_name: 'First name',
  family_name: 'Last name',
  nickname: 'Nickname',
  phone_number: 'Phone number',
  birthdate: 'Date of birth',
  website: 'Website',
}
/**
 * The claims that users can be allowed to change. Not the picture, which apps load from any address, and no claim that identifies
 * the user or gives access.
 */
export const profileFields = [
  'name',
  'given_name',
  'family_name',
  'nickname',
  'birthdate',
  'phone_number',
  'website',
  'locale',
  'zoneinfo',
] as const
export type ProfileField = (typeof profileFields)[number]

const profileFieldsSchema = z
  .array(z.enum(profileFields))
  .max(profileFields.length)
  .default([...profileFields])

const fieldsSchema = z.array(z.enum(registrationFields)).max(registrationFields.length).default([])

/** The shortest password length that a site can require. */
const shortest = passwordCharacters.minimum
const passwordLengthSchema = z.number().int('must be a whole number of characters').min(shortest).max(64)

const secondFactorSchema = z
  .array(
    z
      .string()
      .max(200)
      .refine(
        text => text === 'everyone' || claimValueOf(text) !== null,
        'must be everyone, or a value of role or groups such as role=staff',
      ),
  )
  .max(100)

const registrationGroup = 'Registration'
const factorGroup = 'Ways to sign in'
const passwordGroup = 'Passwords'
const accountGroup = 'Accounts'

export const policyFields = {
  registration: described(z.enum(['closed', 'invited', 'open']).default('closed'), {
    label: 'New accounts',
    help: 'Who can create an account with the registration page.',
    group: registrationGroup,
    choices: {
      closed: 'Closed: administrators create accounts',
      invited: 'By invitation',
      open: 'Open to everyone',
    },
  }),
  email_verification: described(z.enum(['before_sign_in', 'after_sign_in']).default('before_sign_in'), {
    label: 'Email verification',
    help: 'When a new user proves that the email address is theirs.',
    group: registrationGroup,
    choices: {
      before_sign_in: 'Before the first sign-in',
      after_sign_in: 'Later: the account works with an unverified address',
    },
  }),
  email_as_username: described(z.boolean().default(false), {
    label: 'The email address is the user name',
    help: 'The registration page then does not ask for a user name.',
    group: registrationGroup,
  }),
  registration_required_fields: described(fieldsSchema, {
    label: 'Required fields',
    help: 'What the registration page asks for, in addition to the email address and a password.',
    group: registrationGroup,
    choices: fieldChoices,
  }),
  registration_optional_fields: described(fieldsSchema, {
    label: 'Optional fields',
    help: 'Fields that a new user can leave empty.',
    group: registrationGroup,
    choices: fieldChoices,
  }),
  terms_uri: described(webAddressSchema.nullable().default(null), {
    label: 'Terms of use',
    help: 'The address of the terms that users accept before they continue.',
    group: registrationGroup,
    absent: 'no terms to accept',
  }),
  terms_version: described(z.string().min(1).max(50).default('1'), {
    label: 'Version of the terms',
    help: 'Every user is asked again when this text changes.',
    group: registrationGroup,
  }),
  second_factor_required_for: described(secondFactorSchema.default([]), {
    label: 'Second factor required for',
    help: 'Use everyone, or values of the claims role and groups such as role=staff. Other users may set up a second factor.',
    group: factorGroup,
    absent: 'no one',
  }),
  offer_passkeys: described(z.boolean().default(true), {
    label: 'Offer passkeys',
    help: 'Offers a passkey after a sign-in with a password, at most once a month.',
    group: factorGroup,
  }),
  minimum_password_length: described(passwordLengthSchema.default(15), {
    label: 'Shortest password',
    help: 'The number of characters that a new password must have. Passwords that are set already stay valid.',
    group: passwordGroup,
  }),
  minimum_password_length_with_second_factor: described(passwordLengthSchema.default(shortest), {
    label: 'Shortest password of users who need a second factor',
    help: 'Applies to users of whom a second factor is required.',
    group: passwordGroup,
  }),
  mail_about_new_devices: described(z.boolean().default(true), {
    label: 'Mail about new devices',
    help: 'Sends users a mail after a sign-in from a browser that they have not used before.',
    group: accountGroup,
  }),
  profile_fields: described(profileFieldsSchema, {
    label: 'Profile that users can change',
    help: 'The claims that users can change under Your account. An empty list: none. Leave out those that decide about access.',
    group: accountGroup,
    choices: { ...fieldChoices, locale: 'Language', zoneinfo: 'Time zone' },
  }),
  users_delete_accounts: described(z.boolean().default(true), {
    label: 'Users can delete their account',
    help: 'The account page offers it, with a time to change one’s mind.',
    group: accountGroup,
  }),
  account_deletion_days: described(
    z.number().int('must be a whole number of days').min(1).max(90).default(14),
    {
      label: 'Days until a deletion',
      help: 'The time in which a user can keep the account after asking to delete it.',
      group: accountGroup,
    },
  ),
}

/** The policies in the format of the configuration file. Every field has a default: `{}` are the policies of a new site. */
export const policiesSchema = strictFields('policy', policyFields)
export type Policies = z.output<typeof policiesSchema>

/** The ID of the only record of policies. */
export const policiesId = 'site'

export const defaultPolicies: Policies = policiesSchema.parse({})

/** Which users need a second factor at every sign-in; others may have one. A trusted browser skips the question. */
export type SecondFactorPolicy =
  | { readonly kind: 'offered' }
  | { readonly kind: 'required' }
  /** Only users with one of these values of a claim. */
  | { readonly kind: 'required_for'; readonly claims: readonly ClaimValue[] }

type ClaimValue = { readonly name: 'role' | 'groups'; readonly value: string }

export function secondFactorPolicyOf({ second_factor_required_for: required }: Policies): SecondFactorPolicy {
  if (required.length === 0) return { kind: 'offered' }
  if (required.includes('everyone')) return { kind: 'required' }
  return { kind: 'required_for', claims: required.flatMap(text => claimValueOf(text) ?? []) }
}

/** Whether users with these claims need a second factor. */
export function needsSecondFactor(policy: SecondFactorPolicy, claims: Claims): boolean {
  if (policy.kind !== 'required_for') return policy.kind === 'required'
  return policy.claims.some(({ name, value }) => valuesOf(claims[name]).includes(value))
}

function valuesOf(value: Claims[string] | undefined): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** The number of characters that a new password must have. `claims`: those of the user; `null`: they are not known. */
export function minimumPasswordLength(policies: Policies, claims: Claims | null): number {
  const hasSecondFactor = needsSecondFactor(secondFactorPolicyOf(policies), claims ?? {})
  return hasSecondFactor
    ? policies.minimum_password_length_with_second_factor
    : policies.minimum_password_length
}

/** Parses a text such as `role=staff`; `null` for any other text. */
function claimValueOf(text: string): ClaimValue | null {
  const at = text.indexOf('=')
  const [name, value] = [text.slice(0, at), text.slice(at + 1)]
  return (name === 'role' || name === 'groups') && value !== '' ? { name, value } : null
}
