/** An event and its reason as one sentence. */
import type { StoredEvent } from '#lib/ports/events.ts'
import { actionLabel } from '../changes/operation-labels.ts'
import type { Names } from './names.ts'
import { providerWords, reasonTextOf, reasonWords } from './reason-words.ts'

type Sentence = (event: StoredEvent, names: Names) => string

const because = ({ reason }: StoredEvent) => (reason === null ? '.' : `: ${reasonWords(reason)}.`)
const client: Sentence = ({ clientId }, names) => (clientId === null ? 'A client' : names.client(clientId))
const user: Sentence = ({ subject }, names) => (subject === null ? 'A user' : names.user(subject))
const providerBecause = (event: StoredEvent) => (event.reason === null ? '.' : `: ${providerWords(event)}.`)
const detail = ({ details }: StoredEvent, name: string) => String(details[name] ?? '')
const provider = (event: StoredEvent) => detail(event, 'scheme') || 'an identity provider'
const ignored = (event: StoredEvent) => {
  const names = detail(event, 'ignored')
  return names === '' ? '' : ` These parameters were ignored: ${names.replaceAll(' ', ', ')}.`
}

const sentences: Readonly<Record<StoredEvent['name'], Sentence>> = {
  authorize_answered: (event, names) => `${user(event, names)} was signed in to ${client(event, names)}.`,
  authorize_paused: (event, names) =>
    `${client(event, names)} asked a user to sign in or consent${because(event)}`,
  authorize_refused: (event, names) =>
    `${client(event, names)} was refused at the authorization endpoint${because(event)}`,
  sign_in_succeeded: (event, names) =>
    `${user(event, names)} signed in${event.clientId === null ? '' : ` for ${client(event, names)}`}.`,
  sign_in_failed: event => `A sign-in failed${because(event)}`,
  sign_in_limited: () => 'Sign-in blocked: too many failed attempts.',
  sign_in_partial: (event, names) => `${user(event, names)} has one more step to sign in${because(event)}`,
  password_changed: (event, names) =>
    event.outcome === 'success'
      ? `${user(event, names)} changed the password; other sessions and their tokens were revoked.`
      : `${user(event, names)} could not change the password${because(event)}`,
  external_sign_in_started: event => `A user was redirected to ${provider(event)} to sign in.`,
  external_sign_in_failed: event => `A sign-in at ${provider(event)} failed${providerBecause(event)}`,
  consent_granted: (event, names) =>
    `${user(event, names)} allowed ${client(event, names)}: ${detail(event, 'scope') || 'no scope'}.`,
  consent_denied: (event, names) => `${user(event, names)} denied ${client(event, names)} access.`,
  consent_revoked: (event, names) => {
    const scope = detail(event, 'scope')
    const removed = scope === '' ? 'access for' : `the permissions ${scope} of`
    return `${user(event, names)} removed ${removed} ${client(event, names)}.`
  },
  signed_out: (event, names) => `${user(event, names)} signed out.`,
  code_redeemed: (event, names) => `${client(event, names)} redeemed its code.`,
  code_replayed: (event, names) =>
    `${client(event, names)} reused a code; everything issued for it is revoked.`,
  tokens_issued: (event, names) =>
    `${client(event, names)} got tokens${event.grantType === null ? '' : ` by ${event.grantType.replaceAll('_', ' ')}`}.${ignored(event)}`,
  token_refused: (event, names) =>
    `${client(event, names)} was refused at the token endpoint${because(event)}`,
  refresh_retried: (event, names) =>
    `${client(event, names)} retried a refresh in time, and got the same answer.`,
  refresh_token_replayed: (event, names) =>
    `${client(event, names)} reused a refresh token; all tokens of that sign-in are revoked.`,
  client_authentication_failed: (event, names) =>
    `${client(event, names)} failed to authenticate${because(event)}`,
  client_authentication_limited: (event, names) =>
    `${client(event, names)} was blocked: too many failed attempts with its secret.`,
  token_revoked: (event, names) =>
    event.outcome === 'success'
      ? `${client(event, names)} revoked a token.`
      : `${client(event, names)} tried to revoke a token; there was nothing to revoke.`,
  token_introspected: event => `${detail(event, 'resource') || 'An API'} introspected a token.`,
  token_validated: (event, names) => `A token of ${client(event, names)} was validated.`,
  token_rejected: event => `A token did not pass validation${because(event)}`,
  userinfo_answered: (event, names) => `${client(event, names)} called userinfo for ${user(event, names)}.`,
  userinfo_refused: event => `A client was refused at userinfo${because(event)}`,
  admin_signed_in: (event, names) => `${user(event, names)} signed in to the dashboard.`,
  admin_changed: (event, names) => `${user(event, names)} ${actionLabel(detail(event, 'action'))}.`,
  admin_refused: (event, names) => `${user(event, names)} was refused in the dashboard${because(event)}`,
  key_changed: (event, names) => `${user(event, names)} changed the signing keys.`,
  request_refused: event =>
    `A request to ${detail(event, 'endpoint') || 'a page'} was refused${because(event)}`,
  refusals_not_kept: event =>
    event.details.kind === 'authorize_paused'
      ? `${detail(event, 'count') || 'Some'} more sign-ins began within a minute; they were counted but not stored.`
      : `${detail(event, 'count') || 'Some'} more refusals came from ${event.address ?? 'one address'} within a minute; they were counted but not stored: ${kindLeftOut(event)}.`,
}

/** What the refusals had in common. */
function kindLeftOut({ reason, details }: StoredEvent): string {
  return reason === null ? String(details.kind ?? 'of one kind').replaceAll('_', ' ') : reasonWords(reason)
}

/** Of a refusal the sentence of its reason, where it has one; else what was refused, and why. */
export function eventSentence(event: StoredEvent, names: Names): string {
  const own = refusals.has(event.name) ? reasonTextOf(event)?.sentence : undefined
  return own === undefined ? sentences[event.name](event, names) : filledIn(own, event, names)
}

/** Events whose reason says everything. */
const refusals: ReadonlySet<StoredEvent['name']> = new Set<StoredEvent['name']>([
  'authorize_refused',
  'token_refused',
  'sign_in_failed',
  'client_authentication_failed',
  'admin_refused',
])

function filledIn(sentence: string, event: StoredEvent, names: Names): string {
  const sent = event.checks?.find(({ result }) => result === 'failed')?.sent
  const values: Readonly<Record<string, string>> = {
    client: detail(event, 'resource') || client(event, names),
    user: user(event, names),
    sent: sent ?? 'something',
    grant: event.grantType?.replaceAll('_', ' ') ?? 'it named',
    method: detail(event, 'method') || 'some method',
  }
  return sentence.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '')
}

/** Names of events for filters, in groups. */
export const eventLabels: Readonly<Record<StoredEvent['name'], string>> = {
  sign_in_succeeded: 'Sign-in: signed in',
  sign_in_failed: 'Sign-in: failed',
  sign_in_limited: 'Sign-in: blocked by the rate limit',
  sign_in_partial: 'Sign-in: another step required',
  external_sign_in_started: 'Sign-in: sent to an identity provider',
  external_sign_in_failed: 'Sign-in: failed at an identity provider',
  signed_out: 'Sign-in: signed out',
  password_changed: 'Sign-in: password changed',
  authorize_answered: 'Authorization: user signed in to a client',
  authorize_paused: 'Authorization: user asked to sign in or consent',
  authorize_refused: 'Authorization: refused',
  consent_granted: 'Authorization: consent given',
  consent_denied: 'Authorization: consent denied',
  consent_revoked: 'Authorization: access removed',
  code_redeemed: 'Tokens: code redeemed',
  code_replayed: 'Tokens: code replayed',
  tokens_issued: 'Tokens: issued',
  token_refused: 'Tokens: refused',
  refresh_retried: 'Tokens: refresh retried',
  refresh_token_replayed: 'Tokens: refresh token replayed',
  client_authentication_failed: 'Tokens: client authentication failed',
  client_authentication_limited: 'Tokens: client blocked by the rate limit',
  token_revoked: 'Tokens: revoked',
  token_introspected: 'Tokens: introspected',
  token_validated: 'Tokens: validated',
  token_rejected: 'Tokens: not valid',
  userinfo_answered: 'Tokens: userinfo called',
  userinfo_refused: 'Tokens: userinfo refused',
  admin_signed_in: 'Admin: signed in to the dashboard',
  admin_changed: 'Admin: change made',
  admin_refused: 'Admin: refused',
  key_changed: 'Admin: signing keys changed',
  request_refused: 'Server: request refused',
  refusals_not_kept: 'Server: refusals counted, not stored',
}

export const eventNames: readonly StoredEvent['name'][] = Object.keys(eventLabels).filter(isName)

function isName(name: string): name is StoredEvent['name'] {
  return Object.hasOwn(eventLabels, name)
}
