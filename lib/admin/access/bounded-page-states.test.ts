import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AdminPageStates } from '#lib/ports/administration.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { boundedPageStates } from './bounded-page-states.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

const lifetimeSeconds = 60
const bounds = { pageStatesKept: 5, pageStateCharacters: 100 }
const open = () => boundedPageStates(opened.ports.adminPageStates, opened.ports.clock, bounds)
const digest = (text: string) => opened.ports.hashing.digest(text)

/** Stores page states of these names and lengths for one browser session. */
async function leave(states: AdminPageStates, owner: string, forms: Readonly<Record<string, number>>) {
  for (const [name, length] of Object.entries(forms)) {
    await states.create({
      digest: digest(`${owner} ${name}`),
      sessionDigest: digest(owner),
      sealedContent: 'x'.repeat(length),
      expiresAt: secondsAfter(opened.ports.clock.now(), lifetimeSeconds),
    })
  }
}

/** The names of the states that still exist, joined to one word. */
async function left(states: AdminPageStates, owner: string, names: string): Promise<string> {
  const now = opened.ports.clock.now()
  const found = await Promise.all(
    [...names].map(name => states.find(digest(`${owner} ${name}`), digest(owner), now)),
  )
  return [...names].filter((_name, index) => found[index] !== null).join('')
}

describe('LIM-06 the form state that one browser stores is bounded', () => {
  for (const [rule, forms, expected] of [
    ['short ones stay', { a: 1, b: 1, c: 1 }, 'abc'],
    ['as much as fits stays', { a: 50, b: 50 }, 'ab'],
    ['the oldest goes', { a: 50, b: 1, c: 50 }, 'bc'],
    ['as many of the oldest as necessary go', { a: 1, b: 50, c: 50, d: 50 }, 'cd'],
    ['the newest always stays', { a: 1, b: 101 }, 'b'],
    [
      'at most the maximum number stays, however short',
      { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 },
      'cdefg',
    ],
  ] as const) {
    test(rule, async () => {
      const states = open()
      await leave(states, rule, forms)
      assert.equal(await left(states, rule, 'abcdefg'), expected)
    })
  }

  test('each browser has a separate limit of form state', async () => {
    const states = open()
    for (const owner of ['one', 'other']) await leave(states, owner, { a: 50, b: 50 })
    assert.equal(await left(states, 'one', 'ab'), 'ab')
  })

  test('form state that was read and deleted does not count', async () => {
    const states = open()
    await leave(states, 'taking', { a: 50, b: 50 })
    await states.take(digest('taking b'), digest('taking'), opened.ports.clock.now())
    await leave(states, 'taking', { c: 50 })
    assert.equal(await left(states, 'taking', 'abc'), 'ac')
  })

  test('expired form state does not count', async () => {
    const states = open()
    await leave(states, 'waiting', { a: 50 })
    opened.advance(lifetimeSeconds - 1)
    await leave(states, 'waiting', { b: 50 })
    opened.advance(1)
    await leave(states, 'waiting', { c: 50 })
    assert.equal(await left(states, 'waiting', 'abc'), 'bc')
  })
})
