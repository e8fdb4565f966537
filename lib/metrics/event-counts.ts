/** Counts tokens, sign-ins and refused requests. */
import { catalog } from '#lib/errors/catalog.ts'
import { knownReason, reasonRow } from '#lib/errors/reasons.ts'
import type { EventSink, RecordedEvent } from '#lib/ports/events.ts'
import type { IssuedTokenCounter } from '#lib/ports/metrics.ts'
import { isBuiltInGrantType, localProvider } from '#lib/protocol/vocabulary.ts'
import { otherValue } from './catalog.ts'
import type { Registry } from './registry.ts'
import { routeLabel } from './request-durations.ts'

/** Creates the counter of issued tokens. A response has up to three. */
export function createTokenCounter(registry: Registry): IssuedTokenCounter {
  const count = (grantType: string, token: string, format: string) => {
    registry.add(registry.find('latchkey.tokens.issued', [knownGrantType(grantType), token, format]), 1)
  }
  return (grantType, response) => {
    const { access_token: access, id_token: id, refresh_token: refresh } = response
    if (typeof access === 'string') count(grantType, 'access', access.includes('.') ? 'jwt' : 'reference')
    if (id !== undefined) count(grantType, 'id', 'jwt')
    if (refresh !== undefined) count(grantType, 'refresh', 'opaque')
  }
}

/** Creates the sink of events that counts sign-ins and refusals. */
export function createEventCounter(registry: Registry): EventSink {
  return {
    record: event => {
      const outcome = outcomeOf(event)
      if (outcome !== null) registry.add(registry.find('latchkey.sign_ins', [methodOf(event), outcome]), 1)
      const route = routeOfRefusal(event)
      if (route !== null) registry.add(registry.find('latchkey.requests.refused', [route, errorOf(event)]), 1)
      const rule = limitedBy[event.name]
      if (rule !== undefined) registry.add(registry.find('latchkey.limits.reached', [rule]), 1)
    },
  }
}

/** The rate limits that events report. */
const limitedBy: { readonly [Name in RecordedEvent['name']]?: string } = {
  sign_in_limited: 'sign_in',
  client_authentication_limited: 'client_authentication',
}

/** Creates the sink of events that counts some clients by name. Requests with other client IDs add no series. */
export function createClientCounter(registry: Registry, clients: readonly string[]): EventSink {
  const counted = new Set(clients)
  const count = (name: Parameters<Registry['find']>[0], labels: readonly string[]) =>
    registry.add(registry.find(name, labels), 1)
  return {
    record: event => {
      const { clientId, grantType, name } = event
      if (clientId === undefined || clientId === null || !counted.has(clientId)) return
      if (name === 'tokens_issued')
        return count('latchkey.client.tokens', [clientId, knownGrantType(grantType ?? '')])
      const outcome = outcomeOf(event)
      if (outcome !== null) return count('latchkey.client.sign_ins', [clientId, outcome])
      const route = routeOfRefusal(event)
      if (route !== null) count('latchkey.client.refused', [clientId, route, errorOf(event)])
    },
  }
}

function knownGrantType(grantType: string): string {
  return isBuiltInGrantType(grantType) ? grantType : otherValue
}

function outcomeOf({ name }: RecordedEvent): 'success' | 'failure' | 'limited' | null {
  switch (name) {
    case 'sign_in_succeeded':
      return 'success'
    case 'sign_in_failed':
    case 'external_sign_in_failed':
      return 'failure'
    case 'sign_in_limited':
      return 'limited'
    default:
      return null
  }
}

const firstMethods: ReadonlySet<unknown> = new Set(['pwd', 'external', 'passkey'])
const secondMethods: ReadonlySet<unknown> = new Set(['totp', 'passkey', 'recovery_code'])

/**
 * Returns the method of a sign-in and, if it had one, of its second factor. A failed sign-in has no methods; its provider and
 * its reason show which step failed.
 */
function methodOf({ name, details = {}, ...event }: RecordedEvent): string {
  const reason = event.reason ?? ''
  const { method, second, idp } = details
  if (name === 'sign_in_succeeded') {
    const first = firstMethods.has(method) ? String(method) : otherValue
    return secondMethods.has(second) ? `${first}+${second}` : first
  }
  if (reason.includes('second_factor')) return 'second_factor'
  if (reason.startsWith('passkey')) return 'passkey'
  const isExternal = name === 'external_sign_in_failed' || (idp !== undefined && idp !== localProvider)
  return isExternal ? 'external' : 'pwd'
}

/** Returns the route of a refused request; `null` for other events. */
function routeOfRefusal({ name, details }: RecordedEvent): string | null {
  switch (name) {
    case 'authorize_refused':
      return '/connect/authorize'
    case 'token_refused':
      return '/connect/token'
    case 'userinfo_refused':
      return '/connect/userinfo'
    case 'request_refused':
      return routeLabel(String(details?.endpoint))
    default:
      return null
  }
}

/** Returns the error code of the response. */
function errorOf({ reason }: RecordedEvent): string {
  if (reason === undefined) return otherValue
  // The reason of some refusals is the error code itself
  const error = knownReason(reason) === null ? reason : reasonRow(reason).error
  return error !== undefined && Object.hasOwn(catalog, error) ? error : otherValue
}
