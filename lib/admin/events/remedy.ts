/** What puts a refusal right: a sentence, and where there is one, the action that does it. */
import type { StoredEvent } from '#lib/ports/event-log.ts'

export type Remedy = {
  readonly sentence: string
  /** The use case that does it, with its input. */
  readonly action: {
    readonly useCase: string
    readonly input: Readonly<Record<string, string>>
    readonly label: string
  } | null
  /** A page of the dashboard where it is done by hand. */
  readonly href: string | null
}

type Place = 'client' | 'secrets' | 'clients' | null
type Advice = readonly [sentence: string, place: Place]

const advice: Readonly<Record<string, Advice>> = {
  client_known: [
    'Register the client, enable it, or correct the client_id in the app. Is it the right environment?',
    'clients',
  ],
  redirect_uri_registered: [
    'Add the address to the client if the app is yours, or correct it in the app.',
    'client',
  ],
  scopes_allowed: ['Allow the scope for the client, or ask for less.', 'client'],
  scopes_fit_response_type: ['Ask for openid, and only for what the response type can carry.', 'client'],
  response_type_allowed: ['Register the client for this response type, or use response_type=code.', 'client'],
  response_type_known: ['Use response_type=code.', null],
  proof_key_right: [
    'The app must send code_challenge with code_challenge_method=S256: update its OpenID Connect library.',
    'client',
  ],
  nonce_present: ['The app must send a nonce: update its OpenID Connect library.', null],
  person_may_go_on: ['Nothing to put right here: the app must let the person sign in and agree.', null],
  client_authenticated: [
    'Compare the secret in the app with the client’s; rotate it if nobody knows it any more.',
    'secrets',
  ],
  grant_type_known: ['Use a grant type that the discovery document lists.', null],
  grant_type_allowed: ['Allow the grant type for the client, if the app should have it.', 'client'],
  code_known: ['The code may be cut off, or belong to another server or client.', null],
  code_redirect_uri_same: ['The app must send the same redirect_uri to both endpoints.', null],
  code_verifier_right: [
    'The app must send the code_verifier of the very request: often two tabs, or a lost session of the app.',
    null,
  ],
  code_unused: [
    'The app redeemed one code twice, often by a reload of its callback. If it was not the app, somebody stole the code; its tokens are revoked.',
    null,
  ],
  code_in_time: ['The app must redeem the code as soon as the browser brings it.', 'client'],
  refresh_token_unused: [
    'The app must keep the newest refresh token only, and refresh once at a time.',
    null,
  ],
  refresh_token_in_time: [
    'The person must sign in again. Longer lifetimes are settings of the client.',
    'client',
  ],
  grant_live: ['The person, or an admin, withdrew it: the app must send them to sign in again.', null],
  credentials_right: ['The person types their password again, or you reset it.', null],
  tries_left: ['Wait: the limit lifts by itself within minutes.', null],
}

/** `null` for what was not refused. */
export function remedyFor({ clientId, checks }: StoredEvent): Remedy | null {
  const failed = checks?.find(({ result }) => result === 'failed')
  if (failed === undefined) return null
  const [sentence, place] = advice[failed.check] ?? [
    'The documentation of this error says what to change.',
    null,
  ]
  const isFixable = failed.check === 'redirect_uri_registered'
  return {
    sentence,
    action: isFixable ? addRedirectUri(clientId, failed.sent) : null,
    href: addressOf(place, clientId),
  }
}

/** An address that was cut for the events cannot be registered from here. */
function addRedirectUri(clientId: string | null, uri: string | undefined): Remedy['action'] {
  if (clientId === null || uri === undefined || uri.endsWith('…')) return null
  const input = { client_id: clientId, redirect_uri: uri }
  return { useCase: 'clients.add_redirect_uri', input, label: 'Add this redirect URI' }
}

function addressOf(place: Place, clientId: string | null): string | null {
  if (place === null) return null
  if (place === 'clients' || clientId === null) return '/admin/clients'
  const client = `/admin/clients/${encodeURIComponent(clientId)}`
  return place === 'client' ? client : `${client}/secrets`
}
