/** The remedy for a refusal: a sentence, and for some an action that applies it. */
import type { CheckResult } from '#lib/errors/checks.ts'
import type { RemedyPlace } from '#lib/errors/reasons.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { isCut } from '#lib/protocol/text/addresses.ts'
import type { Permission } from '../access/permissions.ts'
import { clientPath, userPath } from '../page-paths.ts'
import { reasonTextOf } from './reason-words.ts'

export type Remedy = {
  readonly sentence: string
  /** The use case that applies it, with its input and permission. */
  readonly action: RemedyAction | null
  /** The page of the dashboard to apply it by hand. */
  readonly href: string | null
  /** A sentence if it is already applied. */
  readonly done: string | null
}

export type RemedyAction = {
  readonly useCase: string
  readonly permission: Permission
  readonly input: Readonly<Record<string, string>>
  readonly label: string
  /** The consequences, if an admin must confirm them first. */
  readonly warning: string | null
}

type Refusal = Pick<StoredEvent, 'reason' | 'clientId' | 'subject' | 'grantType'>

/**
 * `null` where no remedy is known. `registered`: the client's redirect URIs now. What was sent may come from an attacker,
 * so that registering a redirect URI of another host is never offered without a warning that names the host.
 */
export function remedyFor(
  refusal: Refusal,
  failed: CheckResult | null,
  registered: readonly string[],
): Remedy | null {
  const { remedy, place = null } = reasonTextOf(refusal) ?? {}
  if (remedy === undefined) return null
  return {
    sentence: remedy,
    ...fixFor(refusal, failed, registered),
    href: addressOf(place, refusal),
  }
}

function fixFor(
  refusal: Refusal,
  failed: CheckResult | null,
  registered: readonly string[],
): Pick<Remedy, 'action' | 'done'> {
  const { check, sent } = failed ?? {}
  if (check === 'redirect_uri_registered' && sent !== undefined && registered.includes(sent))
    return { action: null, done: 'Added: this redirect URI is registered now.' }
  return { action: actionFor(refusal, failed, registered), done: null }
}

function actionFor(
  { reason, clientId, subject }: Refusal,
  failed: CheckResult | null,
  registered: readonly string[],
): RemedyAction | null {
  if (reason === 'account_disabled' && subject !== null) return unlock(subject)
  if (clientId === null) return null
  if (reason === 'client_disabled') return enable(clientId)
  const { check, sent } = failed ?? {}
  if (sent === undefined || isCut(sent)) return null
  if (check === 'redirect_uri_registered') return addRedirectUri(clientId, sent, registered)
  if (reason === 'scope_not_allowed') return allowScope(clientId, sent)
  if (reason === 'grant_type_not_allowed') return allowGrantType(clientId, sent)
  return null
}

function addRedirectUri(clientId: string, uri: string, registered: readonly string[]): RemedyAction {
  const input = { client_id: clientId, redirect_uri: uri }
  const action = clientAction('clients.add_redirect_uri', input, 'Add this redirect URI')
  return { ...action, warning: warningOfHost(uri, registered) }
}

/** `null` where the client has a redirect URI of the same scheme, host and port. */
function warningOfHost(uri: string, registered: readonly string[]): string | null {
  const origin = originOf(uri)
  if (origin !== null && registered.some(other => originOf(other) === origin)) return null
  const host = URL.parse(uri)?.host || uri
  return `The client has no redirect URI of ${host}. If you add it, the authorization codes of every user of this client can be sent to ${host}. Add it only if you know that it belongs to the client: anyone can send such a request.`
}

/** NOTE: not `URL.origin`, which is `null` for every scheme of a native app. */
function originOf(uri: string): string | null {
  const url = URL.parse(uri)
  return url === null ? null : `${url.protocol}//${url.host}`
}

function allowScope(clientId: string, scope: string): RemedyAction {
  return clientAction('clients.allow_scope', { client_id: clientId, scope }, `Allow ${scope}`)
}

function allowGrantType(clientId: string, grantType: string): RemedyAction {
  const input = { client_id: clientId, grant_type: grantType }
  return clientAction('clients.allow_grant_type', input, 'Allow this grant type')
}

function enable(clientId: string): RemedyAction {
  return clientAction('clients.set_enabled', { client_id: clientId, enabled: 'true' }, 'Enable the client')
}

function clientAction(useCase: string, input: RemedyAction['input'], label: string): RemedyAction {
  return { useCase, permission: 'clients:update', input, label, warning: null }
}

function unlock(subject: string): RemedyAction {
  const input = { sub: subject, enabled: 'true' }
  const action = { useCase: 'users.set_enabled', permission: 'users:update', input } as const
  return { ...action, label: 'Unlock the account', warning: null }
}

function addressOf(place: RemedyPlace | null, { clientId, subject }: Refusal): string | null {
  if (place === null) return null
  if (place === 'user') return subject === null ? '/admin/users' : userPath(subject)
  if (place === 'clients' || clientId === null) return '/admin/clients'
  return clientPath(clientId, place === 'client' ? 'settings' : 'secrets')
}
