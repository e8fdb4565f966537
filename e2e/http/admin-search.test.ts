/**
 * Tests the search of the dashboard, which finds only what the role may view and do, and the theme, which is stored in a
 * cookie.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Admin } from '../fixtures/dashboard/administrator.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { alice } from '../fixtures/server/configuration.ts'

let owner: Admin
let manager: Admin
const latchkey = sharedStaff(({ all }) => {
  owner = all.owner
  manager = all.client_manager
})

describe('search in the dashboard', () => {
  const searched = (text: string) => `/admin/search?${new URLSearchParams({ q: text })}`

  test('AD-01 a search returns only what the role can view and do', async () => {
    const results = (text: string) => `/admin/search/results?${new URLSearchParams({ q: text })}`
    const all = await owner.get(results('ali'))
    assert.match(all.text, new RegExp(`"href":"/admin/users/${alice.sub}"`))
    const less = await manager.get(results('ali'))
    assert.equal(less.status, 200)
    assert.doesNotMatch(less.text, /\/admin\/users\//)
    assert.equal((await newBrowser(latchkey.issuer).get(results('ali'))).status, 403)
    assert.match((await owner.get(searched('rotate'))).text, /Rotate keys/)
    assert.doesNotMatch((await manager.get(searched('rotate'))).text, /Rotate keys/)
  })

  test('a search requires an admin session', async () => {
    const answer = await newBrowser(latchkey.issuer).get(searched('ali'))
    assert.match(answer.headers.location ?? '', /^\/admin\/sign-in\?/)
  })

  test('a request ID within pasted text leads to its request trace', async () => {
    const refused = await owner.browser.get('/connect/authorize?client_id=unknown')
    const reference = String(refused.headers['x-reference-id'])
    const answer = await owner.get(searched(`Reference ${reference.toLowerCase()}.`))
    assert.equal(answer.headers.location, `/admin/events/requests/${reference}`)
  })

  test('the search query is escaped in the result page', async () => {
    const { text } = await owner.get(searched('<img src=x onerror=alert(1)>'))
    assert.doesNotMatch(text, /<img src=x/)
  })
})

describe('choosing the theme', () => {
  for (const [theme, cookie] of [
    ['dark', /^latchkey_theme=dark; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/],
    ['system', /^latchkey_theme=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/],
    ['neon', /^latchkey_theme=; .*Max-Age=0$/],
  ] as const) {
    test(`stores the theme “${theme}”`, async () => {
      const answer = await newBrowser(latchkey.issuer).post('/admin/theme', { theme, back: '/admin/keys' })
      assert.deepEqual([answer.status, answer.headers.location], [303, '/admin/keys'])
      assert.match(answer.cookies[0] ?? '', cookie)
    })
  }

  test('WF-07 choosing the theme redirects only to pages of the dashboard', async () => {
    const answer = await newBrowser(latchkey.issuer).post('/admin/theme', {
      theme: 'dark',
      back: 'https://evil.example',
    })
    assert.equal(answer.headers.location, '/admin')
  })
})
