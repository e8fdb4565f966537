import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context } from '#lib/core/testing/ports.ts'
import type { Hooks, SignInField } from '#lib/ports/extensions.ts'
import type { Authentication, SignInHints, UserService } from '#lib/ports/users.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { completePartialSignIn } from './partial-sign-in.ts'
import { signIn } from './sign-in.ts'
import { areAcceptable, enteredFields, fieldsToMark, labelOf } from './sign-in-fields.ts'
import { form, instantUserService, openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

const fields: readonly SignInField[] = [
  { name: 'domain', label: { en: 'Domain', de: 'Domäne' }, required: true },
  { name: 'pin', label: 'PIN', type: 'password' },
  { name: 'customer', label: 'Customer number', type: 'number' },
]
const subject = subjectIdSchema.parse('alice')
const accepted: Authentication = { kind: 'full', subject, name: 'Alice', amr: ['pwd'], acr: null }

/** The fields that each function received, in order. */
const seen: (readonly [called: string, fields: SignInHints['fields']])[] = []
const userService: UserService = {
  ...instantUserService(async ({ username }, hints) => {
    seen.push(['authenticate', hints.fields])
    return username === 'interrupted' ? { kind: 'partial', subject, path: '/terms' } : accepted
  }),
  completePartial: async (_subject, hints) => {
    seen.push(['completePartial', hints.fields])
    return accepted
  },
}
const hooks: Hooks = {
  postAuthenticate: async request => {
    seen.push(['postAuthenticate', request.fields])
    return { kind: 'accepted' }
  },
}

let setup: TestSignIn
before(async () => {
  setup = await openTestSignIn({ signInFields: fields, userService, hooks })
})
after(() => setup.close())

const entered = { domain: 'north', pin: '1234' }

test('a password among the fields is given to authenticate only', async () => {
  seen.length = 0
  const outcome = await signIn(setup.ports, form({ fields: entered }), context)
  assert.equal(outcome.kind, 'signed_in')
  assert.deepEqual(seen, [
    ['authenticate', entered],
    ['postAuthenticate', { domain: 'north' }],
  ])
})

test('the fields are there again after an interruption, without passwords', async () => {
  seen.length = 0
  const { ports, browser } = setup
  const input = form({ username: 'interrupted', fields: entered, browser })
  const outcome = await signIn(ports, input, context)
  assert.ok(outcome.kind === 'partial')
  const back = { partial: outcome.partial, browser: outcome.browser, previous: [] }
  assert.equal((await completePartialSignIn(ports, back, context)).kind, 'signed_in')
  assert.deepEqual(seen.slice(1), [
    ['completePartial', { domain: 'north' }],
    ['postAuthenticate', { domain: 'north' }],
  ])
})

test('a missing or invalid field is refused before the password is checked, and counts as no attempt', async () => {
  seen.length = 0
  const wrongs: readonly Readonly<Record<string, string>>[] = [
    {},
    { domain: 'x'.repeat(256) },
    { domain: 'a\u0007b' },
    { domain: 'n', customer: '1 2' },
  ]
  for (const wrong of wrongs)
    for (let times = 0; times < 10; times += 1) {
      const outcome = await signIn(setup.ports, form({ fields: wrong }), context)
      assert.ok(outcome.kind === 'refused' && outcome.why === 'fields', JSON.stringify(outcome))
    }
  assert.deepEqual(seen, [])
  assert.equal((await signIn(setup.ports, form({ fields: entered }), context)).kind, 'signed_in')
})

test('only defined fields are read from the form, and spaces around them are removed', () => {
  const posted = { field_domain: ' north ', field_pin: ' ', field_other: 'x', username: 'alice', domain: 'y' }
  assert.deepEqual(enteredFields(fields, posted), { domain: 'north' })
  assert.ok(areAcceptable(fields, { domain: 'north', customer: '007' }))
})

test('after a refusal a password, which is not kept, is marked only if no other field has a fault', () => {
  const required = { label: 'Required', required: true } as const
  const asked = [
    { ...required, name: 'customer', type: 'number' },
    { ...required, name: 'pin', type: 'password' },
  ] as const
  assert.deepEqual(fieldsToMark(asked, { customer: '1 2' }), ['customer'])
  assert.deepEqual(fieldsToMark(asked, { customer: '12' }), ['pin'])
})

test('a label is shown in the language of the page, else in English', () => {
  const shown = ['de', 'en', 'fr'].map(locale => labelOf(fields[0] ?? { label: '' }, locale))
  assert.deepEqual(shown, ['Domäne', 'Domain', 'Domain'])
})
