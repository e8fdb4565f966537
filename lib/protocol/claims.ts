/** Claims: named JSON values about a subject or a client. */

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }
export type Claims = Readonly<Record<string, JsonValue>>

/** Names that describe the token itself. Profile data and extensions can never set them. */
export const reservedClaims: ReadonlySet<string> = new Set([
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'client_id',
  'scope',
  'nonce',
  'auth_time',
  'acr',
  'amr',
  'azp',
  'idp',
  'sid',
  'at_hash',
  'c_hash',
  's_hash',
  'cnf',
  'active',
  'token_type',
])
