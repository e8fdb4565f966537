import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { noPresetValues } from '#lib/protocol/registration/provider-presets.ts'
import { parseAcrValues } from '#lib/protocol/wire/parameters.ts'
import { openProviders, requestedProvider } from './sign-in-providers.ts'

const provider = (scheme: string) => ({
  scheme: providerSchemeSchema.parse(scheme),
  displayName: scheme,
  issuer: 'https://provider.example',
  clientId: 'us',
  clientSecret: null,
  domains: [],
  scope: 'openid profile email',
  reauthentication: 'prompt' as const,
  signOutAtProvider: false,
  preset: 'openid_connect' as const,
  ...noPresetValues,
  secondFactorValues: [],
  trustsEmail: false,
  hidden: false,
  enabled: true,
})
const rows: ReadonlyArray<
  readonly [acrValues: string, providers: string[], local: boolean, expected: string | null]
> = [
  ['idp:latchkey', [], true, 'latchkey'],
  ['idp:idsrv', [], true, 'latchkey'],
  ['idp:idsrv', [], false, null],
  ['idp:idsrv', ['idsrv'], true, 'idsrv'],
  ['idp:partner', ['partner'], true, 'partner'],
  ['idp:other', ['partner'], true, null],
]

for (const [acrValues, providers, local, expected] of rows) {
  test(`acr_values ${acrValues} with providers [${providers}], local sign-in ${local}: ${expected}`, () => {
    const client = clientFromMetadata({
      client_id: 'web',
      redirect_uris: ['https://web.example/cb'],
      enable_local_login: local,
    })
    const request = { acrValues: parseAcrValues(acrValues) }
    assert.equal(requestedProvider(request, client, providers.map(provider)), expected)
  })
}

test('a client that names only the accounts of this server offers no provider', () => {
  const client = (restrictions: readonly string[]) =>
    clientFromMetadata({
      client_id: 'web',
      redirect_uris: ['https://web.example/cb'],
      identity_provider_restrictions: restrictions,
    })
  const schemesOf = (restrictions: readonly string[]) =>
    openProviders(client(restrictions), [provider('corp'), provider('second')]).map(({ scheme }) => scheme)
  assert.deepEqual(schemesOf(['latchkey']), [])
  assert.deepEqual(schemesOf(['latchkey', 'corp']), ['corp'])
  assert.deepEqual(schemesOf([]), ['corp', 'second'])
})

test('a client cannot name the accounts of this server and exclude them', () => {
  const client = {
    client_id: 'web',
    redirect_uris: ['https://web.example/cb'],
    identity_provider_restrictions: ['latchkey'],
    enable_local_login: false,
  }
  assert.throws(() => clientFromMetadata(client), /needs enable_local_login/)
})
