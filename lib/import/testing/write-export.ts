/** Writes exports for tests into a temporary folder. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportRequest } from '../run-import.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-import-'))
let files = 0

/** Writes a file and returns its path. Content that is neither text nor bytes is written as JSON. */
export function writeExport(content: unknown): string {
  files += 1
  const file = join(folder, `export-${files}.json`)
  const isWritten = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(file, isWritten ? content : JSON.stringify(content))
  return file
}

/** Makes a request for an import of IdentityServer3 that is not a dry run; `changes` replace its fields. */
export function importOf(source: string, changes: Partial<ImportRequest> = {}): ImportRequest {
  const options = { isDryRun: false, skipsRefused: false, replaces: false, digest: null }
  return { product: 'identityserver3', source, ...options, ...changes }
}

/** SHA-256 of "secret" in base64, as in IdentityServer3's own samples. */
export const hashOfSecret = 'K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols='

/** Tables of IdentityServer3's store, as `FOR JSON` exports them. */
export const smallExport = {
  Clients: [
    { Id: 1, Enabled: true, ClientId: 'mvc', ClientName: 'MVC', Flow: 0, AuthorizationCodeLifetime: 300 },
    { Id: 2, Enabled: true, ClientId: 'spa', ClientName: 'Pages', Flow: 1, RequireConsent: false },
    { Id: 3, Enabled: false, ClientId: 'worker', ClientName: 'Worker', Flow: 3, AccessTokenType: 1 },
  ],
  ClientSecrets: [
    {
      Id: 1,
      Value: hashOfSecret,
      Type: 'SharedSecret',
      Description: 'first',
      Expiration: null,
      Client_Id: 1,
    },
    {
      Id: 2,
      Value: hashOfSecret,
      Type: 'SharedSecret',
      Expiration: '2031-01-01T00:00:00+00:00',
      Client_Id: 3,
    },
  ],
  ClientScopes: [
    { Id: 1, Scope: 'openid', Client_Id: 1 },
    { Id: 2, Scope: 'orders', Client_Id: 1 },
    { Id: 3, Scope: 'offline_access', Client_Id: 1 },
    { Id: 4, Scope: 'openid', Client_Id: 2 },
    { Id: 5, Scope: 'orders', Client_Id: 3 },
  ],
  ClientRedirectUris: [
    { Id: 1, Uri: 'https://mvc.example/signin-oidc', Client_Id: 1 },
    { Id: 2, Uri: 'https://spa.example/', Client_Id: 2 },
  ],
  ClientClaims: [
    { Id: 1, Type: 'region', Value: 'eu', Client_Id: 3 },
    { Id: 2, Type: 'role', Value: 'a', Client_Id: 3 },
    { Id: 3, Type: 'role', Value: 'b', Client_Id: 3 },
  ],
  Scopes: [
    { Id: 7, Enabled: true, Name: 'orders', DisplayName: 'Orders', Type: 1, ShowInDiscoveryDocument: true },
  ],
  ScopeClaims: [{ Id: 1, Name: 'email', AlwaysIncludeInIdToken: false, Scope_Id: 7 }],
  ScopeSecrets: [{ Id: 1, Value: hashOfSecret, Type: 'SharedSecret', Scope_Id: 7 }],
}
