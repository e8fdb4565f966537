/** The consequences of a change of the policies, in sentences, and the errors that prevent it. */
import { type Policies, secondFactorPolicyOf } from '#lib/protocol/registration/policies.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { errorFor, type FieldError } from '../admin-result.ts'
import { countedText } from '../counted-text.ts'

type Change = { readonly before: Policies; readonly after: Policies }
type Consequence = readonly string[]

/** Returns what a change will do to users, the most important first. */
export async function consequencesOf(ports: AdminPorts, change: Change): Promise<readonly string[]> {
  return [
    ...registrationConsequences(ports, change),
    ...(await secondFactorConsequences(ports, change)),
    ...passwordConsequences(change),
    ...termsConsequences(change),
    ...accountConsequences(change),
  ]
}

/** Errors that depend on more than one field, or on the users. */
export async function policyErrors(
  stored: StoredAddresses,
  policies: Policies,
): Promise<readonly FieldError[]> {
  const { registration_required_fields: required, registration_optional_fields: optional } = policies
  const both = required.filter(field => optional.includes(field))
  return [
    ...errorFor(
      'registration_optional_fields',
      both.length === 0 ? null : `A field is required or optional, not both: ${both.join(', ')}.`,
    ),
    ...errorFor(
      'email_as_username',
      (await makesNamesOfSharedAddresses(stored, policies)) ? sharedText : null,
    ),
  ]
}

export type StoredAddresses = {
  readonly policies: Pick<AdminPorts['policies'], 'current'>
  readonly adminLists: Pick<AdminPorts['adminLists'], 'sharedAddresses'>
}

/** Whether the policies turn addresses into user names while an address names several users. */
export async function makesNamesOfSharedAddresses(
  { policies: stored, adminLists }: StoredAddresses,
  policies: Policies,
): Promise<boolean> {
  if (!policies.email_as_username || (await stored.current()).email_as_username) return false
  return (await adminLists.sharedAddresses(1)).length > 0
}

const sharedText = 'Some addresses name several users. Change them first; the report below lists them.'

const registrationTexts: Readonly<Record<Policies['registration'], string>> = {
  open: 'Registration opens: anyone can create an account, and the sign-in page offers it.',
  invited: 'Only users with an invitation can create an account. Invite them on the page of users.',
  closed:
    'Registration closes: only administrators create accounts. Invitations that were not used yet no longer work.',
}

function registrationConsequences(
  { mail }: Pick<AdminPorts, 'mail'>,
  { before, after }: Change,
): Consequence {
  const isChanged = before.registration !== after.registration
  const needsMail = after.registration === 'open' && after.email_verification === 'before_sign_in'
  const isVerifiedLater =
    after.registration !== 'closed' &&
    after.email_verification === 'after_sign_in' &&
    (isChanged || before.email_verification !== 'after_sign_in')
  return [
    ...(isChanged ? [registrationTexts[after.registration]] : []),
    ...(needsMail && mail.kind === 'off'
      ? [
          'Mail is off, so no one can prove an email address: registration does not work until mail is set up.',
        ]
      : []),
    ...(isVerifiedLater
      ? [
          'New users sign in before they have proved their email address. Apps see email_verified: false until then.',
        ]
      : []),
    ...(!before.email_as_username && after.email_as_username
      ? ['New users have no user name: they sign in with the email address. User names of other users stay.']
      : []),
  ]
}

async function secondFactorConsequences(ports: AdminPorts, { before, after }: Change): Promise<Consequence> {
  const [earlier, later] = [secondFactorPolicyOf(before), secondFactorPolicyOf(after)]
  if (JSON.stringify(earlier) === JSON.stringify(later)) return []
  if (later.kind === 'offered')
    return ['No one needs a second factor. Users who have one are still asked for it.']
  if (later.kind === 'required_for') {
    const values = later.claims.map(({ name, value }) => `${name}=${value}`)
    const users = new Intl.ListFormat('en', { type: 'disjunction' }).format(values)
    return [`Users with ${users} who have no second factor must set one up at their next sign-in.`]
  }
  const without = await ports.adminLists.countUsersWithoutFactor()
  if (without.count === 0) return ['Everyone needs a second factor. All users have one.']
  const { count, isMore } = without
  const one = count === 1 && !isMore
  return [
    `Everyone needs a second factor. ${countedText(without, 'user has', 'users have')} none and must set one up at ${one ? 'the' : 'their'} next sign-in.`,
  ]
}

function passwordConsequences({ before, after }: Change): Consequence {
  const lengths = [before, after].map(policies => [
    policies.minimum_password_length,
    policies.minimum_password_length_with_second_factor,
  ])
  const [earlier, later] = lengths.map(each => each.join(' '))
  if (earlier === later) return []
  const isWeak = after.minimum_password_length < recommendedLength
  return [
    'The new length applies when a password is chosen. Passwords that are set already stay valid.',
    ...(isWeak && after.minimum_password_length < before.minimum_password_length
      ? [
          `NIST SP 800-63B recommends at least ${recommendedLength} characters where the password is the only factor.`,
        ]
      : []),
  ]
}

/** NIST SP 800-63B-4, 3.1.1.2: the length of passwords that are the only factor. */
const recommendedLength = 15

function termsConsequences({ before, after }: Change): Consequence {
  if (after.terms_uri === null)
    return before.terms_uri === null ? [] : ['Users are no longer asked to accept terms of use.']
  const isNew = before.terms_uri === null || before.terms_version !== after.terms_version
  return isNew
    ? [`Every user must accept version ${after.terms_version} of the terms of use at the next sign-in.`]
    : []
}

function accountConsequences({ before, after }: Change): Consequence {
  return [
    ...(before.users_delete_accounts && !after.users_delete_accounts
      ? ['Users cannot ask to delete their account. Deletions that wait already are still carried out.']
      : []),
    ...(before.account_deletion_days !== after.account_deletion_days
      ? ['The new number of days applies to deletions that are asked for from now on.']
      : []),
  ]
}
