/** Tests the step in which users accept the terms of use. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context, withPolicies } from '#lib/core/testing/ports.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { termsPath } from '#lib/protocol/wire/local-paths.ts'
import { signIn } from './sign-in.ts'
import { acceptTerms, termsView } from './terms.ts'
import { form, instantUserService, openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

const withTerms = (terms_version: string) =>
  withPolicies({ terms_uri: 'https://example.com/terms', terms_version })
const subject = subjectIdSchema.parse('elsewhere')
let policies = withTerms('1')
let setup: TestSignIn

before(async () => {
  // The users are in another store: the terms belong to the subject
  const accepted = { kind: 'full', subject, name: 'Ella', amr: ['pwd'], acr: null } as const
  setup = await openTestSignIn({
    policies: { current: () => policies.current() },
    userService: { ...instantUserService(async () => accepted), completePartial: async () => accepted },
  })
})
after(() => setup.close())

async function begin() {
  const outcome = await signIn(setup.ports, form({ browser: setup.browser }), context)
  assert.ok(outcome.kind === 'partial', outcome.kind)
  assert.equal(outcome.path, termsPath)
  return { partial: outcome.partial, browser: setup.browser, previous: [] }
}

test('MF-03 a user of any user service accepts each version once before the session begins', async () => {
  policies = withTerms('1')
  const first = await begin()
  assert.equal((await termsView(setup.ports, first))?.isFirst, true)
  const accept = () => acceptTerms(setup.ports, { ...first, version: '1' }, context)
  const outcomes = await Promise.all(Array.from({ length: 20 }, accept))
  assert.equal(outcomes.filter(({ kind }) => kind === 'signed_in').length, 1)
  assert.equal((await setup.ports.subjectPreferences.findAcceptedTerms(subject))?.version, '1')
  assert.equal((await signIn(setup.ports, form(), context)).kind, 'signed_in')
  policies = withTerms('2')
  const again = await begin()
  assert.equal((await termsView(setup.ports, again))?.isFirst, false)
})

test('a version that was replaced while the page was open is not accepted: the user sees the new one', async () => {
  policies = withTerms('3')
  const shown = await begin()
  policies = withTerms('4')
  const outcome = await acceptTerms(setup.ports, { ...shown, version: '3' }, context)
  assert.ok(outcome.kind === 'partial' && outcome.path === termsPath)
  const next = { ...shown, partial: outcome.partial }
  assert.equal((await termsView(setup.ports, next))?.version, '4')
  assert.equal((await acceptTerms(setup.ports, { ...next, version: '4' }, context)).kind, 'signed_in')
})

test('another browser cannot accept the terms, and without terms no one is asked', async () => {
  policies = withTerms('5')
  const shown = await begin()
  const stranger = { ...shown, browser: setup.ports.random.handle('browser') }
  assert.equal(await termsView(setup.ports, stranger), null)
  assert.equal((await acceptTerms(setup.ports, { ...stranger, version: '5' }, context)).kind, 'expired')
  policies = withPolicies({})
  assert.equal((await signIn(setup.ports, form(), context)).kind, 'signed_in')
})
