import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClient } from '#lib/core/testing/registrations.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import extensions, { activationCodeGrant, digestOf } from './custom-grant.ts'

const subject = subjectIdSchema.parse('alice')
const newGrant = () => activationCodeGrant([{ codeDigest: digestOf('LAMP-1234'), subject, model: 'lamp' }])
const requestFor = (parameters: Readonly<Record<string, string>>) => ({
  parameters: parametersFrom(parameters),
  client: testClient(),
  scopes: [],
})

test('the file exports one custom grant', () => {
  const names = extensions.customGrants?.map(grant => grant.grantType)
  assert.deepEqual(names, ['urn:example:activation-code'])
})

test('a code lets its user in, however it was typed, once', async () => {
  const grant = newGrant()
  const first = await grant.validate(requestFor({ activation_code: ' lamp-1234 ' }))
  assert.deepEqual(first, {
    kind: 'granted',
    subject,
    amr: ['activation_code'],
    claims: { device_model: 'lamp' },
  })
  const second = await grant.validate(requestFor({ activation_code: 'LAMP-1234' }))
  assert.equal(second.kind, 'refused')
})

test('only one of many concurrent attempts succeeds', async () => {
  const grant = newGrant()
  const attempts = Array.from({ length: 20 }, () =>
    grant.validate(requestFor({ activation_code: 'LAMP-1234' })),
  )
  const outcomes = await Promise.all(attempts)
  assert.equal(outcomes.filter(outcome => outcome.kind === 'granted').length, 1)
})

const wrong: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { activation_code: '' },
  { activation_code: 'LAMP-9999' },
]
for (const parameters of wrong) {
  test(`refuses ${JSON.stringify(parameters)}`, async () => {
    assert.equal((await newGrant().validate(requestFor(parameters))).kind, 'refused')
  })
}
