/** What happened, and why, in one plain sentence. */
import type { StoredEvent } from '#lib/ports/event-log.ts'
import { providerWords, reasonTextOf, reasonWords } from './reason-words.ts'

export type Names = {
  /** As people read them; the id where nobody knows a name. */
  readonly client: (clientId: string | null) => string
  readonly person: (subject: string | null) => string
}

type Sentence = (event: StoredEvent, names: Names) => string

const because = ({ reason }: StoredEvent) => (reason === null ? '.' : `: ${reasonWords(reason)}.`)
const app: Sentence = ({ clientId }, { client }) => (clientId === null ? 'An app' : client(clientId))
const who: Sentence = ({ subject }, { person }) => (subject === null ? 'Somebody' : person(subject))
const providerBecause = (event: StoredEvent) => (event.reason === null ? '.' : `: ${providerWords(event)}.`)
const detail = ({ details }: StoredEvent, name: string) => String(details[name] ?? '')
const scheme = (event: StoredEvent) => detail(event, 'scheme') || 'an identity provider'

const sentences: Readonly<Record<StoredEvent['name'], Sentence>> = {
  authorize_answered: (event, names) =>
    `${who(event, names)} was sent back to ${app(event, names)} signed in.`,
  authorize_paused: (event, names) => `${app(event, names)} sent somebody to sign in${because(event)}`,
  authorize_refused: (event, names) =>
    `${app(event, names)} was refused at the authorization endpoint${because(event)}`,
  sign_in_succeeded: (event, names) =>
    `${who(event, names)} signed in${event.clientId === null ? '' : ` for ${app(event, names)}`}.`,
  sign_in_failed: event => `A sign-in failed${because(event)}`,
  sign_in_limited: () => 'A sign-in was held back: too many wrong tries.',
  sign_in_partial: (event, names) => `${who(event, names)} has one more step to sign in${because(event)}`,
  password_changed: (event, names) =>
    event.outcome === 'success'
      ? `${who(event, names)} chose a new password; everything that the old one had opened has ended.`
      : `${who(event, names)} could not change their password${because(event)}`,
  external_sign_in_started: event => `Somebody went to ${scheme(event)} to sign in.`,
  external_sign_in_failed: event => `A sign-in at ${scheme(event)} failed${providerBecause(event)}`,
  consent_granted: (event, names) =>
    `${who(event, names)} allowed ${app(event, names)}: ${detail(event, 'scope') || 'nothing in particular'}.`,
  consent_denied: (event, names) =>
    `${who(event, names)} did not allow ${app(event, names)} what it asked for.`,
  consent_revoked: (event, names) => `${who(event, names)} shut ${app(event, names)} out.`,
  signed_out: (event, names) => `${who(event, names)} signed out.`,
  code_redeemed: (event, names) => `${app(event, names)} redeemed its code.`,
  code_replayed: (event, names) =>
    `A code of ${app(event, names)} came a second time; everything issued on it is revoked.`,
  tokens_issued: (event, names) =>
    `${app(event, names)} got tokens${event.grantType === null ? '' : ` by ${event.grantType.replaceAll('_', ' ')}`}.`,
  token_refused: (event, names) => `${app(event, names)} was refused at the token endpoint${because(event)}`,
  refresh_replayed: (event, names) =>
    `${app(event, names)} sent the same refresh token again in time, and got the same answer.`,
  refresh_reused: (event, names) =>
    `A spent refresh token of ${app(event, names)} came back; all tokens of that sign-in are revoked.`,
  client_authentication_failed: (event, names) =>
    `${app(event, names)} could not prove who it is${because(event)}`,
  client_authentication_limited: (event, names) =>
    `${app(event, names)} guessed its secret too often and has to wait.`,
  token_revoked: (event, names) =>
    event.outcome === 'success'
      ? `${app(event, names)} revoked a token.`
      : `${app(event, names)} wanted to revoke a token; there was nothing to revoke.`,
  token_introspected: event => `${detail(event, 'resource') || 'Somebody'} asked about a token.`,
  token_validated: (event, names) => `A token of ${app(event, names)} was validated.`,
  token_rejected: event => `A token did not pass validation${because(event)}`,
  userinfo_answered: (event, names) => `${app(event, names)} read about ${who(event, names)}.`,
  userinfo_refused: event => `An app was refused at userinfo${because(event)}`,
  admin_signed_in: (event, names) => `${who(event, names)} entered the dashboard.`,
  admin_changed: (event, names) => `${who(event, names)} changed something: ${detail(event, 'action')}.`,
  admin_refused: (event, names) => `${who(event, names)} was refused in the dashboard${because(event)}`,
  key_changed: (event, names) => `${who(event, names)} changed the signing keys.`,
  request_refused: event =>
    `A request to ${detail(event, 'endpoint') || 'a page'} was refused${because(event)}`,
  refusals_not_kept: event =>
    event.details.kind === 'authorize_paused'
      ? `${detail(event, 'count') || 'Some'} more sign-ins began within a minute, and were counted but not kept.`
      : `${detail(event, 'count') || 'Some'} more refusals came from ${event.address ?? 'one address'} within a minute, and were counted but not kept: ${kindLeftOut(event)}.`,
}

/** What the refusals had in common. */
function kindLeftOut({ reason, details }: StoredEvent): string {
  return reason === null ? String(details.kind ?? 'of one kind').replaceAll('_', ' ') : reasonWords(reason)
}

/** Of a refusal the cause is told, where there is a sentence for it; else that it was one, and why. */
export function eventSentence(event: StoredEvent, names: Names): string {
  const own = refusals.has(event.name) ? reasonTextOf(event)?.sentence : undefined
  return own === undefined ? sentences[event.name](event, names) : filledIn(own, event, names)
}

/** Those of which the reason alone says everything. */
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
    client: app(event, names),
    user: who(event, names),
    sent: sent ?? 'something',
    grant: event.grantType?.replaceAll('_', ' ') ?? 'it named',
    method: detail(event, 'method') || 'some method',
  }
  return sentence.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '')
}

export const eventNames: readonly StoredEvent['name'][] = Object.keys(sentences).filter(isName)

function isName(name: string): name is StoredEvent['name'] {
  return Object.hasOwn(sentences, name)
}
