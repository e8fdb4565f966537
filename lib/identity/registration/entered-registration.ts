/** The values that a user enters on the registration page, and their faults. */
import { displayTextSchema } from '#lib/protocol/registration/fields.ts'
import {
  type Policies,
  type RegistrationField,
  registrationFields,
} from '#lib/protocol/registration/policies.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'
import { isMailAddress } from '#lib/protocol/text/mail-address.ts'

/** The values as typed, without surrounding spaces. */
export type EnteredRegistration = {
  readonly email: string
  /** Empty if the address is the user name. */
  readonly username: string
  readonly fields: Readonly<Partial<Record<RegistrationField, string>>>
  /** The version of the terms that the page showed and the user accepts; empty: none. */
  readonly acceptedTerms: string
}

/** The inputs of the page that can have a fault, besides the password. */
export const registrationInputs = ['email', 'username', ...registrationFields, 'terms'] as const
export type RegistrationInputName = (typeof registrationInputs)[number]

const faultKinds = ['missing', 'invalid', 'taken'] as const
export type RegistrationFault = {
  readonly input: RegistrationInputName
  readonly kind: (typeof faultKinds)[number]
}

export type AskedFields = {
  readonly name: RegistrationField
  readonly isRequired: boolean
}

type FieldPolicies = Pick<Policies, 'registration_required_fields' | 'registration_optional_fields'>

/** Returns the fields that the page asks for, in a fixed order. A field in both lists is required. */
export function askedFields(policies: FieldPolicies): readonly AskedFields[] {
  const { registration_required_fields: required, registration_optional_fields: optional } = policies
  return registrationFields.flatMap(name =>
    required.includes(name) || optional.includes(name) ? [{ name, isRequired: required.includes(name) }] : [],
  )
}

const longestAddress = 255
const longestText = 200

/**
 * Names of users who register have letters, digits and `.`, `_`, `-`: without `@`, no one can have the address of another user
 * as a name, which sign-ins look up first.
 */
const usernamePattern = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]{0,62}[\p{L}\p{M}\p{N}])$/u

type AskedFor = FieldPolicies & Pick<Policies, 'email_as_username' | 'terms_uri' | 'terms_version'>

/** Returns every fault together, so that the user does not learn them one at a time. Reads no database. */
export function faultsOf(entered: EnteredRegistration, policies: AskedFor): readonly RegistrationFault[] {
  const { email, username, fields, acceptedTerms } = entered
  const isAddress = email.length <= longestAddress && isMailAddress(email)
  return [
    ...faultOf('email', email, isAddress),
    ...(policies.email_as_username ? [] : faultOf('username', username, usernamePattern.test(username))),
    ...askedFields(policies).flatMap(({ name, isRequired }) => {
      const text = fields[name] ?? ''
      return text === '' && !isRequired ? [] : faultOf(name, text, isFieldValue(name, text))
    }),
    ...(policies.terms_uri === null
      ? []
      : faultOf('terms', acceptedTerms, acceptedTerms === policies.terms_version)),
  ]
}

function faultOf(input: RegistrationInputName, text: string, isValid: boolean): readonly RegistrationFault[] {
  if (text === '') return [{ input, kind: 'missing' }]
  return isValid ? [] : [{ input, kind: 'invalid' }]
}

const textSchema = displayTextSchema(longestText)

function isFieldValue(name: RegistrationField, text: string): boolean {
  return textSchema.safeParse(text).success && standardClaimProblem(name, text) === null
}

/** Writes faults for an address, such as `email.missing username.taken`. */
export function writeFaults(faults: readonly RegistrationFault[]): string {
  return faults.map(({ input, kind }) => `${input}.${kind}`).join(' ')
}

/** Reads the faults in an address. Unknown ones are left out. */
export function readFaults(text = ''): readonly RegistrationFault[] {
  return [...new Set(text.split(' '))].flatMap(word => {
    const [before, after] = word.split('.')
    const input = registrationInputs.find(each => each === before)
    const kind = faultKinds.find(each => each === after)
    return input === undefined || kind === undefined ? [] : [{ input, kind }]
  })
}
