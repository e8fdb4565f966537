/** The table of events: the label of each in filters, and its sentence in the dashboard. */

export type EventRow = {
  /** The part before the colon is the group in the filter. */
  readonly label: string
  /** The placeholders are filled in by `lib/admin/events/event-sentence.ts`. */
  readonly sentence: string
  /** The sentence of a failure, if it differs. */
  readonly failure?: string
  /** Marks a refusal: if its reason has a sentence, that is shown instead. */
  readonly isRefusal?: true
}

/** The events in the order of the filter. */
export const eventRows = {
  sign_in_succeeded: { label: 'Sign-in: signed in', sentence: '{user} signed in{for_client}.' },
  session_stepped_up: {
    label: 'Sign-in: proved another factor',
    sentence: '{user} proved another factor{for_client}.',
  },
  sign_in_failed: { label: 'Sign-in: failed', sentence: 'A sign-in failed{because}.', isRefusal: true },
  sign_in_limited: {
    label: 'Sign-in: blocked by the rate limit',
    sentence: 'Sign-in blocked: too many failed attempts.',
  },
  sign_in_partial: {
    label: 'Sign-in: another step required',
    sentence: '{user} has one more step to sign in{because}.',
  },
  external_sign_in_started: {
    label: 'Sign-in: sent to an identity provider',
    sentence: 'A user was redirected to {provider} to sign in.',
  },
  external_sign_in_failed: {
    label: 'Sign-in: failed at an identity provider',
    sentence: 'A sign-in at {provider} failed{because}.',
  },
  external_sign_out_failed: {
    label: 'Sign-in: sign-out at an identity provider failed',
    sentence: '{user} could not be signed out at {provider}{because}.',
  },
  signed_out: {
    label: 'Sign-in: signed out',
    sentence: '{user} signed out.',
    failure: '{user} signed out{because}.',
  },
  sign_out_refused: {
    label: 'Sign-in: sign-out request not accepted',
    sentence: '{client} asked for a sign-out that was not accepted{because}.',
    isRefusal: true,
  },
  password_changed: {
    label: 'Sign-in: password changed',
    sentence: '{user} changed the password; other sessions and their tokens were revoked.',
    failure: '{user} could not change the password{because}.',
  },
  passkey_added: {
    label: 'Sign-in: passkey added',
    sentence: '{user} added a passkey.',
    failure: '{user} could not add a passkey{because}.',
  },
  passkey_removed: { label: 'Sign-in: passkey removed', sentence: '{user} removed a passkey.' },
  provider_linked: {
    label: 'Sign-in: identity linked',
    sentence: '{user} linked an identity at {provider}.',
    failure: '{user} could not link an identity at {provider}{because}.',
  },
  provider_unlinked: {
    label: 'Sign-in: identity unlinked',
    sentence: '{user} unlinked an identity at {provider}.',
  },
  second_factor_changed: {
    label: 'Sign-in: two-step sign-in changed',
    sentence: '{user} {second_factor}.',
  },
  profile_changed: {
    label: 'Account: profile changed',
    sentence: '{user} changed the profile.',
  },
  account_deletion_planned: {
    label: 'Account: deletion planned',
    sentence: '{user} asked to delete the account.',
  },
  account_deletion_canceled: {
    label: 'Account: deletion canceled',
    sentence: '{user} keeps the account.',
  },
  account_deleted: {
    label: 'Account: deleted by its user',
    sentence: 'An account was deleted, as its user had asked.',
  },
  data_downloaded: {
    label: 'Account: data downloaded',
    sentence: '{user} downloaded the data of the account.',
  },
  password_mail_requested: {
    label: 'Sign-in: mail for a forgotten password',
    sentence: '{user} asked for a mail to choose a new password.',
    failure: 'A mail to choose a new password was not sent{because}.',
  },
  email_change_requested: {
    label: 'Sign-in: change of the email address requested',
    sentence: '{user} asked for a mail to confirm a new email address.',
  },
  email_changed: {
    label: 'Sign-in: email address changed',
    sentence: '{user} changed the email address.',
  },
  lost_passkeys_reported: {
    label: 'Sign-in: passkeys reported lost',
    sentence: '{user} reported all passkeys lost; they are removed after some days.',
  },
  lost_passkeys_kept: {
    label: 'Sign-in: lost passkeys kept',
    sentence: '{user} canceled the removal of the passkeys.',
  },
  lost_passkeys_removed: {
    label: 'Sign-in: lost passkeys removed',
    sentence: 'The passkeys of {user}, which were reported lost, were removed.',
  },
  change_taken_back: {
    label: 'Sign-in: change reported and undone',
    sentence: '{user} reported a change to the account with “This wasn’t me”, and it was undone.',
  },
  registration_requested: {
    label: 'Registration: mail to a new address',
    sentence: 'A mail to create an account was sent.',
    failure: 'A mail to create an account was not sent{because}.',
  },
  user_registered: { label: 'Registration: account created', sentence: '{user} created an account.' },
  terms_accepted: { label: 'Registration: terms accepted', sentence: '{user} accepted the terms of use.' },
  authorize_answered: {
    label: 'Authorization: user signed in to a client',
    sentence: '{user} was signed in to {client}{but}.{ignored}',
  },
  authorize_paused: {
    label: 'Authorization: user asked to sign in or consent',
    sentence: '{client} asked a user to sign in or consent{because}.{ignored}',
  },
  authorize_refused: {
    label: 'Authorization: refused',
    sentence: '{client} was refused at the authorization endpoint{because}.',
    isRefusal: true,
  },
  consent_granted: { label: 'Authorization: consent given', sentence: '{user} allowed {client}: {scope}.' },
  consent_denied: { label: 'Authorization: consent denied', sentence: '{user} denied {client} access.' },
  consent_revoked: {
    label: 'Authorization: access removed',
    sentence: '{user} removed {removed} {client}.',
  },
  code_redeemed: { label: 'Tokens: code redeemed', sentence: '{client} redeemed its code.' },
  code_replayed: {
    label: 'Tokens: code replayed',
    sentence: '{client} reused a code; everything issued for it is revoked.',
  },
  tokens_issued: { label: 'Tokens: issued', sentence: '{client} got tokens{by_grant}.{ignored}' },
  token_refused: {
    label: 'Tokens: refused',
    sentence: '{client} was refused at the token endpoint{because}.',
    isRefusal: true,
  },
  refresh_retried: {
    label: 'Tokens: refresh retried',
    sentence: '{client} retried a refresh in time, and got the same answer.',
  },
  refresh_token_replayed: {
    label: 'Tokens: refresh token replayed',
    sentence: '{client} reused a refresh token; all tokens of that sign-in are revoked.',
  },
  client_authentication_failed: {
    label: 'Tokens: client authentication failed',
    sentence: '{client} failed to authenticate{because}.',
    isRefusal: true,
  },
  client_authentication_limited: {
    label: 'Tokens: client blocked by the rate limit',
    sentence: '{client} was blocked: too many failed attempts with its secret.',
  },
  token_revoked: {
    label: 'Tokens: revoked',
    sentence: '{client} revoked a token.',
    failure: '{client} tried to revoke a token; there was nothing to revoke.',
  },
  token_introspected: { label: 'Tokens: introspected', sentence: '{api} introspected a token.' },
  token_validated: { label: 'Tokens: validated', sentence: 'A token of {client} was validated.' },
  token_rejected: { label: 'Tokens: not valid', sentence: 'A token did not pass validation{because}.' },
  userinfo_answered: {
    label: 'Tokens: userinfo called',
    sentence: '{client} called userinfo for {user}.',
  },
  userinfo_refused: {
    label: 'Tokens: userinfo refused',
    sentence: 'A client was refused at userinfo{because}.',
  },
  admin_signed_in: {
    label: 'Admin: signed in to the dashboard',
    sentence: '{user} signed in to the dashboard.',
  },
  admin_changed: { label: 'Admin: change made', sentence: '{user} {action}.' },
  admin_refused: {
    label: 'Admin: refused',
    sentence: '{user} was refused in the dashboard{because}.',
    isRefusal: true,
  },
  key_changed: { label: 'Admin: signing keys changed', sentence: '{user} changed the signing keys.' },
  /** Requests that no other event covers: malformed, from another site, or with an internal error. */
  request_refused: {
    label: 'Server: request refused',
    sentence: 'A request to {endpoint} was refused{because}.',
  },
  /**
   * A note that more refusals of one kind, or more sign-ins that began, were recorded within a minute than are stored.
   */
  refusals_not_kept: {
    label: 'Server: refusals counted, not stored',
    sentence: '{count} within a minute; they were counted but not stored{kind}.',
  },
  delivery_failed: {
    label: 'Server: message given up',
    sentence: 'A message of the kind {delivery} could not be delivered and was given up.',
  },
  worker_replaced: {
    label: 'Server: worker process replaced',
    sentence: 'A worker process {ended} and was replaced.',
  },
} as const satisfies Readonly<Record<string, EventRow>>

export type EventName = keyof typeof eventRows
