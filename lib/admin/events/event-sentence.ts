/** What happened, and why, in one plain sentence. */
import type { StoredEvent } from '#lib/ports/event-log.ts'
import { reasonWords } from './reason-words.ts'

export type Names = {
  /** As people read them; the id where nobody knows a name. */
  readonly client: (clientId: string | null) => string
  readonly person: (subject: string | null) => string
}

type Sentence = (event: StoredEvent, names: Names) => string

const because = ({ reason }: StoredEvent) => (reason === null ? '.' : `: ${reasonWords(reason)}.`)
const app: Sentence = ({ clientId }, { client }) => (clientId === null ? 'An app' : client(clientId))
const who: Sentence = ({ subject }, { person }) => (subject === null ? 'Somebody' : person(subject))
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
  sign_in_partial: (event, names) => `${who(event, names)} has one more step to sign in.`,
  external_sign_in_started: event => `Somebody went to ${scheme(event)} to sign in.`,
  external_sign_in_failed: event => `A sign-in at ${scheme(event)} failed${because(event)}`,
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
  client_authentication_failed: (event, names) => `${app(event, names)} could not prove who it is.`,
  client_authentication_limited: (event, names) =>
    `${app(event, names)} guessed its secret too often and has to wait.`,
  token_revoked: (event, names) => `${app(event, names)} revoked a token.`,
  token_introspected: () => 'An API asked about a token.',
  token_validated: () => 'A token was validated.',
  token_rejected: event => `A token did not pass validation${because(event)}`,
  userinfo_answered: () => 'An app read who signed in.',
  userinfo_refused: event => `An app was refused at userinfo${because(event)}`,
  admin_signed_in: (event, names) => `${who(event, names)} entered the dashboard.`,
  admin_changed: (event, names) => `${who(event, names)} changed something: ${detail(event, 'action')}.`,
  admin_refused: (event, names) => `${who(event, names)} was refused in the dashboard${because(event)}`,
  key_changed: (event, names) => `${who(event, names)} changed the signing keys.`,
  request_refused: event => `A request to ${detail(event, 'endpoint')} was refused${because(event)}`,
}

export function eventSentence(event: StoredEvent, names: Names): string {
  return sentences[event.name](event, names)
}

export const eventNames: readonly StoredEvent['name'][] = Object.keys(sentences).filter(isName)

function isName(name: string): name is StoredEvent['name'] {
  return Object.hasOwn(sentences, name)
}
