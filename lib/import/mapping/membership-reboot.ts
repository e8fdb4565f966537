/** The rules for the fields of users of MembershipReboot. */
import { copied, type FieldRule, flag, gone, internal, note, or, type Reading, text } from './field-map.ts'
import { claim, guidSubject, loginsRule, noSecondFactor, passwordOf, readClaims } from './users.ts'

const unapproved =
  'accounts that were not approved are not locked: if the old server required approval, lock them here'

export const userAccountRules: readonly FieldRule[] = [
  internal('Key'),
  copied('ID', 'sub', guidSubject),
  {
    field: 'Username',
    becomes: ['username', 'claims.preferred_username'],
    why: 'names must be unique among all tenants',
    read: value => ({ fields: { username: text(value), preferred_username: text(value) } }),
  },
  passwordOf('HashedPassword'),
  claim('Email', 'email', text),
  {
    field: 'IsAccountVerified',
    becomes: ['enabled', 'claims.email_verified'],
    why: 'an account that was never verified is locked',
    read: (value): Reading => {
      const isVerified = or(flag, false)(value)
      if (isVerified) return { fields: { email_verified: true } }
      const unverified = 'was never verified there, and is locked here until an admin unlocks it'
      const notes = [note('changed', 'IsAccountVerified', unverified)]
      return { fields: { email_verified: false, enabled: false }, notes }
    },
  },
  claim('MobilePhoneNumber', 'phone_number', text),
  {
    field: 'IsLoginAllowed',
    becomes: ['enabled'],
    read: value => (or(flag, true)(value) ? {} : { fields: { enabled: false } }),
  },
  {
    field: 'IsAccountClosed',
    becomes: ['enabled'],
    read: value => (or(flag, false)(value) ? { fields: { enabled: false } } : {}),
  },
  {
    field: 'AccountRejected',
    becomes: ['enabled'],
    why: 'an account that was rejected is locked',
    read: value => (value === null ? {} : { fields: { enabled: false } }),
  },
  {
    field: 'AccountApproved',
    becomes: [],
    why: unapproved,
    read: (value, all) =>
      all.has('accountapproved') && value === null
        ? { notes: [note('changed', 'AccountApproved', unapproved)] }
        : {},
  },
  copied('RequiresPasswordReset', 'must_change_password', flag, { otherwise: false }),
  gone('AccountTwoFactorAuthMode', [0], { why: noSecondFactor }),
  { field: 'Claims', becomes: ['claims'], read: readClaims },
  loginsRule,
  ...[
    'Tenant',
    'Created',
    'LastUpdated',
    'AccountClosed',
    'LastLogin',
    'LastFailedLogin',
    'FailedLoginCount',
    'PasswordChanged',
    'LastFailedPasswordReset',
    'FailedPasswordResetCount',
    'MobileCode',
    'MobileCodeSent',
    'MobilePhoneNumberChanged',
    'CurrentTwoFactorAuthStatus',
    'VerificationKey',
    'VerificationPurpose',
    'VerificationKeySent',
    'VerificationStorage',
  ].map(internal),
]
