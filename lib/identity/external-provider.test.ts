import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { noPresetValues } from '#lib/protocol/registration/provider-presets.ts'
import { providerForEmail } from './external-provider.ts'

function provider(scheme: string, domains: readonly string[], enabled = true): IdentityProvider {
  const address = {
    displayName: scheme,
    issuer: `https://${scheme}.example`,
    clientId: 'x',
    clientSecret: null,
    scope: 'openid profile email',
    reauthentication: 'prompt',
    signOutAtProvider: false,
    preset: 'openid_connect',
    ...noPresetValues,
    secondFactorValues: [],
    hidden: false,
    trustsEmail: false,
  } as const
  return { scheme: providerSchemeSchema.parse(scheme), ...address, domains, enabled }
}

const providers = [
  provider('off', ['partner.example'], false),
  provider('partner', ['partner.example', 'partner.test']),
  provider('school', ['bücher.example']),
]

const cases: ReadonlyArray<readonly [string, string | null]> = [
  ['una@partner.example', 'partner'],
  ['another-user@partner.example', 'partner'],
  [' Una@PARTNER.Example. ', 'partner'],
  ['una@partner.test', 'partner'],
  ['una＠partner.example', 'partner'],
  ['una@bücher.example', 'school'],
  ['una@xn--bcher-kva.example', 'school'],
  ['una@sub.partner.example', null],
  ['una@partner.example.evil.example', null],
  ['una@evil.example', null],
  ['partner.example', null],
  ['@partner.example', null],
  ['una@', null],
  ['a@b@partner.example', null],
  ['a@x.example,b@partner.example', null],
  ['a@partner.example\r\nx', null],
  ['a@partner.example/evil', null],
  ['a@user:pw@partner.example', null],
  [`${'x'.repeat(300)}@partner.example`, null],
  ['', null],
]

for (const [email, scheme] of cases) {
  test(`FD-09 AU-17 ${JSON.stringify(email.slice(0, 40))} belongs to ${scheme}`, () => {
    assert.equal(providerForEmail(providers, email)?.scheme ?? null, scheme)
  })
}
