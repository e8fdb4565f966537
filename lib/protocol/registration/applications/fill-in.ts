/** Fills in the placeholders of an application: its address, this server and a client. */
import { redirectUriProblem } from '../../wire/redirect-uri.ts'
import { offlineScope, scopeWords } from '../../wire/scopes.ts'
import type { ClientMetadata } from '../client.ts'
import { type Application, type Placeholder, placeholders } from './application.ts'

type Values = {
  readonly issuer: string
  readonly clientId: string
  /** The address of the application as `readAddress` returns it; `null` if it is not known or not needed. */
  readonly app: string | null
}

/**
 * Characters that have no meaning in shells, configuration files and program code. A value with other characters is not
 * inserted, so that a text cannot become code: its placeholder is shown instead.
 */
const plain = /^[a-z0-9][\w.~:/[\]-]*$/i

/** Fills in a text. A secret is never filled in, and a value with special characters neither. */
export function fillIn(template: string, { issuer, clientId, app }: Values): string {
  const values: Readonly<Record<string, string>> = {
    issuer,
    issuer_host: new URL(issuer).host,
    client_id: clientId,
    ...(app === null ? {} : { app, app_host: new URL(app).host, app_origin: new URL(app).origin }),
  }
  return template.replace(/\{\{(\w+)\}\}/g, (text, name: string) => {
    const value = values[name]
    if (value !== undefined && plain.test(value)) return value
    return isPlaceholder(name) ? placeholders[name] : text
  })
}

function isPlaceholder(name: string): name is Placeholder {
  return Object.hasOwn(placeholders, name)
}

export type ReadAddress =
  | { readonly kind: 'ok'; readonly app: string }
  /** The end of a sentence that refuses the address. */
  | { readonly kind: 'refused'; readonly problem: string }

/**
 * Reads the address of an application: its origin and the path below which it runs, without a trailing slash. A redirect URI
 * of the application works as well.
 */
export function readAddress(typed: string, { client, kind }: Application): ReadAddress {
  const text = typed.trim()
  const problem = redirectUriProblem(text, kind === 'native' ? 'native' : 'web', 'form')
  if (problem !== null) return { kind: 'refused', problem }
  const { protocol, origin, pathname, search } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:')
    return { kind: 'refused', problem: 'must begin with https:// or http://' }
  if (search !== '') return { kind: 'refused', problem: 'must not have a query' }
  const callback = pathsBelow(client.redirect_uris).find(path => pathname.endsWith(path))
  const path = pathname.slice(0, pathname.length - (callback?.length ?? 0)).replace(/\/+$/, '')
  const app = `${origin}${path}`
  if (!plain.test(app) || path.includes('//'))
    return { kind: 'refused', problem: 'may contain only letters, digits and - . _ ~ in its path' }
  return { kind: 'ok', app }
}

/** The paths below the address in redirect URIs, the longest first. */
function pathsBelow(uris: readonly string[]): readonly string[] {
  const start = '{{app}}'
  return uris
    .filter(uri => uri.startsWith(start))
    .map(uri => uri.slice(start.length))
    .toSorted((one, other) => other.length - one.length)
}

/** The fields of a client for the application at this address, the defaults of its kind included. */
export function clientOf(application: Application, app: string | null): Omit<ClientMetadata, 'client_id'> {
  const { kind, client, name } = application
  const isOffline = scopeWords(client.scope).includes(offlineScope)
  const defaults: Partial<ClientMetadata> = {
    client_name: name,
    ...(kind === 'native' ? { application_type: 'native' as const } : {}),
    ...(kind === 'web' || kind === 'machine' ? {} : { token_endpoint_auth_method: 'none' as const }),
    grant_types:
      kind === 'machine'
        ? ['client_credentials']
        : ['authorization_code', ...(isOffline ? ['refresh_token'] : [])],
  }
  const filled = (uris: readonly string[]) =>
    uris.map(uri => uri.replaceAll('{{app}}', app ?? '').replaceAll('{{app_origin}}', originOf(app)))
  const lists = Object.fromEntries(
    addressFields.flatMap(field => (client[field] === undefined ? [] : [[field, filled(client[field])]])),
  )
  return { ...defaults, ...client, ...lists }
}

const addressFields = ['redirect_uris', 'post_logout_redirect_uris', 'allowed_cors_origins'] as const

function originOf(app: string | null): string {
  return app === null ? '' : new URL(app).origin
}

export type FoundApplication = { readonly application: Application; readonly app: string | null }

/**
 * The applications that a client with these redirect URIs can be registered for, with their addresses. Many applications share
 * a path such as `/callback`, so that a result proves nothing.
 */
export function applicationsWith(
  all: readonly Application[],
  redirectUris: readonly string[],
): readonly FoundApplication[] {
  return all.flatMap(application => {
    const found = addressIn(application, redirectUris)
    return found === undefined ? [] : [{ application, app: found }]
  })
}

/** The address of the application in the redirect URIs; `undefined` if they do not belong to it. */
function addressIn(application: Application, redirectUris: readonly string[]): string | null | undefined {
  const { addressExample, client } = application
  if (addressExample === null)
    return client.redirect_uris.some(uri => redirectUris.includes(uri)) ? null : undefined
  const paths = pathsBelow(client.redirect_uris)
  const uri = redirectUris.find(one => paths.some(path => one.endsWith(path)))
  const read = uri === undefined ? null : readAddress(uri, application)
  return read?.kind === 'ok' ? read.app : undefined
}
