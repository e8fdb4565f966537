/** What puts a refusal right: a sentence, and where there is one, the guarded action that does it. */
import type { RemedyPlace } from '#lib/errors/reason-texts.ts'
import type { StoredEvent } from '#lib/ports/event-log.ts'
import type { CheckResult } from '#lib/ports/events.ts'
import { isCut } from '#lib/protocol/shown-uri.ts'
import type { Permission } from '../access/permissions.ts'
import { pageSegment } from '../page-segment.ts'
import { reasonTextOf } from './reason-words.ts'

export type Remedy = {
  readonly sentence: string
  /** The use case that does it, with its input, and what it takes to be let. */
  readonly action: RemedyAction | null
  /** A page of the dashboard where it is done by hand. */
  readonly href: string | null
}

export type RemedyAction = {
  readonly useCase: string
  readonly permission: Permission
  readonly input: Readonly<Record<string, string>>
  readonly label: string
}

type Refusal = Pick<StoredEvent, 'reason' | 'clientId' | 'subject' | 'grantType'>

/** `null` for what was not refused, and where nothing is known about putting it right. */
export function remedyFor(refusal: Refusal, failed: CheckResult | null): Remedy | null {
  const { remedy, place = null } = reasonTextOf(refusal) ?? {}
  if (remedy === undefined) return null
  return {
    sentence: remedy,
    action: actionFor(refusal, failed),
    href: addressOf(place, refusal),
  }
}

function actionFor({ reason, clientId, subject }: Refusal, failed: CheckResult | null): RemedyAction | null {
  if (reason === 'account_disabled' && subject !== null) return unlock(subject)
  if (clientId === null) return null
  if (reason === 'client_disabled') return enable(clientId)
  const { check, sent } = failed ?? {}
  if (sent === undefined || isCut(sent)) return null
  if (check === 'redirect_uri_registered') return addRedirectUri(clientId, sent)
  if (reason === 'scope_not_allowed') return allowScope(clientId, sent)
  if (reason === 'grant_type_not_allowed') return allowGrantType(clientId, sent)
  return null
}

function addRedirectUri(clientId: string, uri: string): RemedyAction {
  const input = { client_id: clientId, redirect_uri: uri }
  return clientAction('clients.add_redirect_uri', input, 'Add this redirect URI')
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
  return { useCase, permission: 'clients:update', input, label }
}

function unlock(subject: string): RemedyAction {
  const input = { sub: subject, enabled: 'true' }
  return { useCase: 'users.set_enabled', permission: 'users:update', input, label: 'Unlock the account' }
}

function addressOf(place: RemedyPlace | null, { clientId, subject }: Refusal): string | null {
  if (place === null) return null
  if (place === 'user') return subject === null ? '/admin/users' : `/admin/users/${pageSegment(subject)}`
  if (place === 'clients' || clientId === null) return '/admin/clients'
  const client = `/admin/clients/${pageSegment(clientId)}`
  return place === 'client' ? client : `${client}/secrets`
}
