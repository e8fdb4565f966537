/** Rows of `Tokens` (IdentityServer3) and `PersistedGrants` (IdentityServer4) for tests. */

export const created = '2026-02-28T12:00:00+00:00'
const claims = (subject: string | null, ...scopes: readonly string[]) => [
  { Type: 'client_id', Value: 'web' },
  ...scopes.map(scope => ({ Type: 'scope', Value: scope })),
  ...(subject === null
    ? []
    : [
        { Type: 'sub', Value: subject },
        { Type: 'auth_time', Value: '1772280000' },
        { Type: 'idp', Value: 'idsrv' },
        { Type: 'amr', Value: 'password' },
        { Type: 'role', Value: 'reader' },
        { Type: 'role', Value: 'writer' },
      ]),
]

/** Returns a token of IdentityServer3 as `JsonConvert` writes it. */
export function token3(subject: string | null, ...scopes: readonly string[]) {
  return {
    Audience: 'https://old.example/resources',
    Issuer: 'https://old.example',
    CreationTime: created,
    Lifetime: 31_536_000,
    Type: 'access_token',
    Client: { ClientId: 'web' },
    Claims: claims(subject, ...scopes),
    Version: 1,
  }
}

export function row3(type: number | string, key: string, json: object, changes: object = {}) {
  return {
    Key: key,
    TokenType: type,
    SubjectId: 'alice',
    ClientId: 'web',
    JsonCode: JSON.stringify(json),
    Expiry: '2026-03-20T12:00:00+00:00',
    ...changes,
  }
}

export const refresh3 = (key: string, changes: object = {}) =>
  row3(
    3,
    key,
    {
      ClientId: 'web',
      CreationTime: created,
      LifeTime: 2_592_000,
      AccessToken: token3('alice', 'openid', 'api', 'offline_access'),
      Subject: { AuthenticationType: 'Cookies', Claims: claims('alice') },
      Version: 1,
    },
    changes,
  )

/** Returns a token as IdentityServer4 stores it. */
export function token4(subject: string | null, ...scopes: readonly string[]) {
  return {
    AllowedSigningAlgorithms: [],
    Confirmation: null,
    Audiences: ['ledger', 'archive'],
    Issuer: 'https://old.example',
    CreationTime: '2026-02-28T12:00:00Z',
    Lifetime: 31_536_000,
    Type: 'access_token',
    ClientId: 'web',
    AccessTokenType: 1,
    Description: null,
    Claims: [
      ...claims(subject, ...scopes).map(claim => ({
        ...claim,
        ValueType: 'http://www.w3.org/2001/XMLSchema#string',
      })),
      { Type: 'level', Value: '3', ValueType: 'http://www.w3.org/2001/XMLSchema#integer' },
      { Type: 'admin', Value: 'true', ValueType: 'http://www.w3.org/2001/XMLSchema#boolean' },
      { Type: 'address', Value: '{"city":"Oxford"}', ValueType: 'json' },
    ],
    Version: 4,
  }
}

export function row4(type: string, key: string, data: object, changes: object = {}) {
  return {
    Key: key,
    Type: type,
    SubjectId: 'alice',
    SessionId: null,
    ClientId: 'web',
    Description: null,
    CreationTime: '2026-02-28 12:00:00.0000000',
    Expiration: '2026-03-20 12:00:00.0000000',
    ConsumedTime: null,
    Data: JSON.stringify(data),
    ...changes,
  }
}

export const refresh4 = (key: string, changes: object = {}) =>
  row4(
    'refresh_token',
    key,
    {
      CreationTime: '2026-02-28T12:00:00Z',
      Lifetime: 2_592_000,
      ConsumedTime: null,
      AccessToken: token4('alice', 'openid', 'api', 'offline_access'),
      Version: 4,
    },
    changes,
  )
