import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { parseAcrValues } from '#lib/protocol/wire/parameters.ts'
import { requestedProvider } from './decide.ts'

const provider = (scheme: string) => ({
  scheme: providerSchemeSchema.parse(scheme),
  displayName: scheme,
  issuer: 'https://provider.example',
  clientId: 'us',
  clientSecret: null,
  domains: [],
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
