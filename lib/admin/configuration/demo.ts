/**
 * The demo configuration: clients for several flows, scopes and two users. The secrets and passwords are public, so it is used
 * only with loopback issuers.
 */

import type { ConfigurationFileInput } from '#lib/protocol/registration/configuration-file.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'

type ClientInput = NonNullable<ConfigurationFileInput['clients']>[number]
type ScopeInput = NonNullable<ConfigurationFileInput['scopes']>[number]

const identity = 'openid profile email phone address roles'
const everything = `${identity} offline_access orders.read orders.write`
/** The origin of the example apps in the documentation. */
const exampleApp = 'http://localhost:8765'

export function demoConfiguration(issuer: string): ConfigurationFileInput {
  const clients = [...browserClients(issuer), ...machineClients, ...legacyClients(issuer)]
  return { clients, scopes: [...demoScopes], users: demoUsers, identity_providers: [] }
}

function browserClients(issuer: string): readonly ClientInput[] {
  const refreshing = { grant_types: ['authorization_code', 'refresh_token'], scope: everything }
  const leaving = [ownUrl(issuer, '/playground'), `${exampleApp}/`]
  return [
    {
      ...refreshing,
      client_id: 'demo-web',
      client_secret: 'demo-web-secret',
      client_name: 'Demo web app',
      client_uri: issuer,
      redirect_uris: [ownUrl(issuer, '/playground/callback'), `${exampleApp}/callback`],
      post_logout_redirect_uris: leaving,
    },
    {
      ...refreshing,
      client_id: 'demo-spa',
      client_name: 'Demo browser app',
      token_endpoint_auth_method: 'none',
      redirect_uris: [ownUrl(issuer, '/playground/callback'), `${exampleApp}/spa`],
      post_logout_redirect_uris: leaving,
      allowed_cors_origins: [exampleApp],
    },
    {
      ...refreshing,
      client_id: 'demo-native',
      client_name: 'Demo native app',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]/callback', 'com.example.demo:/callback'],
    },
  ]
}

const machineClients: readonly ClientInput[] = [
  {
    client_id: 'demo-machine',
    client_secret: 'demo-machine-secret',
    client_name: 'Demo machine (JWT)',
    grant_types: ['client_credentials'],
    scope: 'orders.read orders.write',
  },
  {
    client_id: 'demo-machine-reference',
    client_secret: 'demo-machine-reference-secret',
    client_name: 'Demo machine (reference tokens)',
    grant_types: ['client_credentials'],
    scope: 'orders.read orders.write',
    access_token_type: 'reference',
  },
]

/** Clients for flows that current standards advise against. */
function legacyClients(issuer: string): readonly ClientInput[] {
  return [
    {
      client_id: 'demo-implicit',
      client_name: 'Demo implicit app',
      token_endpoint_auth_method: 'none',
      grant_types: ['implicit'],
      response_types: ['token', 'id_token token', 'id_token'],
      redirect_uris: [ownUrl(issuer, '/playground/callback'), `${exampleApp}/implicit`],
      scope: `${identity} orders.read`,
    },
    {
      client_id: 'demo-password',
      client_secret: 'demo-password-secret',
      client_name: 'Demo password app',
      grant_types: ['password', 'refresh_token'],
      scope: everything,
    },
  ]
}

const demoScopes: readonly ScopeInput[] = [
  {
    name: 'orders.read',
    kind: 'resource',
    display_name: 'See your orders',
    description: 'What you ordered, and when.',
    secrets: ['demo-orders-secret'],
  },
  {
    name: 'orders.write',
    kind: 'resource',
    display_name: 'Place and cancel orders',
    description: 'On your behalf, until you remove access.',
    emphasize: true,
  },
]

export const demoUsers: NonNullable<ConfigurationFileInput['users']> = [
  {
    username: 'alice',
    password: 'wonderland-tea-party',
    sub: 'demo-user-alice',
    claims: {
      name: 'Alice Pleasance Liddell',
      family_name: 'Liddell',
      given_name: 'Alice',
      middle_name: 'Pleasance',
      nickname: 'Al',
      preferred_username: 'alice',
      profile: 'https://example.com/alice',
      picture: 'https://example.com/alice.png',
      website: 'https://example.com',
      gender: 'female',
      birthdate: '1852-05-04',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
      updated_at: 1_760_000_000,
      email: 'alice@example.com',
      email_verified: true,
      phone_number: '+44 20 7946 0000',
      phone_number_verified: false,
      address: {
        formatted: '1 Rabbit Hole\nOxford OX1 1DP\nUnited Kingdom',
        street_address: '1 Rabbit Hole',
        locality: 'Oxford',
        postal_code: 'OX1 1DP',
        country: 'United Kingdom',
      },
      role: ['admin', 'editor'],
    },
  },
  {
    username: 'bob',
    password: 'hammer-and-nails',
    sub: 'demo-user-bob',
    claims: {
      name: 'Bob Mason',
      given_name: 'Bob',
      family_name: 'Mason',
      email: 'bob@example.com',
      email_verified: true,
      role: ['reader'],
    },
  },
]
