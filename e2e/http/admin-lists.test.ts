/** Tests lists of the dashboard, such as their order, their export, and changes of several users. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Admin } from '../fixtures/dashboard/administrator.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { alice, bob } from '../fixtures/server/configuration.ts'

describe('the lists of the dashboard', () => {
  let owner: Admin
  let auditor: Admin
  let support: Admin
  sharedStaff(({ all }) => {
    ;({ owner, auditor, user_support: support } = all)
  })
  const ids = ['dredger', 'ferry', 'tug']
  before(async () => {
    for (const id of ids)
      await owner.post('clients.create', { kind: 'machine', client_name: id, client_id: id })
  })

  /** The links in the order in which they first appear on a page. */
  async function orderOn(path: string, hrefs: readonly string[]): Promise<readonly string[]> {
    const { text, status } = await owner.get(path)
    assert.equal(status, 200)
    const places = hrefs.map(href => [href, text.indexOf(`href="${href}"`)] as const)
    assert.ok(
      places.every(([, place]) => place >= 0),
      JSON.stringify(places),
    )
    return places.toSorted(([, left], [, right]) => left - right).map(([href]) => href)
  }

  test('clients whose IDs look like a path, a file or a page of the dashboard have a page', async () => {
    for (const id of ['a/../b', '.', '..', 'plain.rsc', 'new', 'deleted', 'export']) {
      await owner.post('clients.create', { kind: 'machine', client_name: `named ${id}`, client_id: id })
      const { text } = await owner.get('/admin/clients?kind=machine')
      const row = text.slice(0, text.indexOf(`named ${id}<`))
      const href = row.slice(row.lastIndexOf('href="') + 6).split('"')[0] ?? ''
      const page = await owner.get(new URL(href, 'http://localhost').pathname)
      assert.equal(page.status, 200, href)
      assert.ok(page.text.includes(`<title>named ${id}`), page.text.slice(0, 3000))
    }
  })

  test('the address sorts clients by their last change, in both directions', async () => {
    const hrefs = ids.map(id => `/admin/clients/${id}`)
    assert.deepEqual(await orderOn('/admin/clients?kind=machine&sort=updated', hrefs), hrefs)
    assert.deepEqual(await orderOn('/admin/clients?kind=machine&sort=-updated', hrefs), hrefs.toReversed())
    const { text } = await owner.get('/admin/clients?sort=-updated&enabled=true')
    assert.match(text, /<th[^>]*aria-sort="descending"[^>]*><a[^>]*href="[^"]*sort=updated&amp;enabled=true"/)
  })

  test('later pages of the changes lead back to the first, with the same filter', async () => {
    const first = await owner.get('/admin/changes?target_kind=client')
    assert.doesNotMatch(first.text, />First page</)
    const later = await owner.get('/admin/changes?target_kind=client&after=1000')
    assert.equal(later.status, 200)
    assert.match(later.text, /href="\/admin\/changes\?target_kind=client"[^>]*>First page</)
  })

  test('the danger zone of an unused client names no numbers', async () => {
    for (const path of ['/admin/clients/tug', '/admin/sessions?show=access&client_id=tug']) {
      const { text } = await owner.get(path)
      assert.match(text, /No user has access through it\. /, path)
      assert.doesNotMatch(text, /(?:Ends|deletes|Deletes|for) 0 /, path)
    }
  })

  test('the address sorts scopes by name; an unknown order of a list is ignored', async () => {
    const names = ['email', 'openid', 'profile'].map(name => `/admin/scopes/${name}`)
    assert.deepEqual(await orderOn('/admin/scopes?sort=-name', names), names.toReversed())
    for (const list of ['clients', 'scopes', 'providers', 'users'])
      for (const sort of ['password', 'constructor', '__proto__'])
        assert.equal((await owner.get(`/admin/${list}?sort=${sort}`)).status, 200, `${list} by ${sort}`)
  })

  test('a search for users lists the exact user name first, then the others by name', async () => {
    const others = ['zoe.keel', 'eva.keel', 'dan.keel', 'bea.keel', 'anna.keel']
    for (const username of [...others, 'keel'])
      await owner.submit('users.create', { username, name: username })
    const { text } = await owner.get('/admin/users?q=keel')
    assert.ok(text.includes('>zoe<wbr/>.keel<'))
    const listed = text.replaceAll('<wbr/>', '').match(/(?<=>)(?:\w+\.)?keel(?=<)/g) ?? []
    assert.deepEqual([...new Set(listed)], ['keel', ...others.toReversed()])
  })

  test('names with numbers are listed by the numbers, not by their digits', async () => {
    const scopes = ['lathe.2', 'lathe.10', 'lathe.9']
    for (const name of scopes) await owner.submit('scopes.create', { name, kind: 'resource' })
    const inOrder = ['lathe.2', 'lathe.9', 'lathe.10'].map(name => `/admin/scopes/${name}`)
    assert.deepEqual(await orderOn('/admin/scopes?sort=name', inOrder), inOrder)
    for (const username of ['lathe-10', 'lathe-9']) await owner.submit('users.create', { username })
    const { text } = await owner.get('/admin/users?q=lathe')
    assert.ok(text.indexOf('>lathe-9<') < text.indexOf('>lathe-10<'))
  })

  test('the list of users shows the last sign-in and how many accounts are locked', async () => {
    const { text } = await owner.get(`/admin/users?q=${bob.username}`)
    assert.match(text, /Last sign-in/)
    assert.match(text, /href="\/admin\/users\?enabled=false"[^>]*>\d+ accounts? (?:is|are) locked</)
  })

  test('AD-08 the lists of users and clients are exported with their filter', async () => {
    const users = await auditor.get(`/admin/users/export?q=${bob.username}`)
    assert.equal(users.status, 200)
    assert.equal(users.headers['content-disposition'], 'attachment; filename="users.csv"')
    assert.match(users.text, new RegExp(`^subject,.*\\r\\n${bob.sub},`))
    const clients = await owner.get('/admin/clients/export?q=ferry')
    assert.match(clients.text, /^client_id,.*\r\nferry,ferry,machine,enabled,/)
    assert.doesNotMatch(clients.text, /tug/)
  })

  test('several users are locked and unlocked by one form', async () => {
    const users = await Promise.all(
      ['cox', 'mate'].map(async username => {
        const { target } = await owner.submit('users.create', { username })
        const page = await owner.get(`/admin/users?q=${username}`)
        const [, sub = ''] = /name="sub" value="([^"]+)"/.exec(page.text) ?? []
        assert.notEqual(sub, '', target)
        return sub
      }),
    )
    const fields = (enabled: boolean) => [
      ...users.map(sub => ['sub', sub] as const),
      ['enabled', String(enabled)] as const,
    ]
    const stateOf = async (sub: string) =>
      (await support.get(`/admin/users/${sub}`)).text.includes('>Locked<')
    const locked = await support.submit('users.set_several_enabled', fields(false), '/admin/users')
    assert.match(locked.answer.text, /The selected users are saved\./)
    assert.deepEqual(await Promise.all(users.map(stateOf)), [true, true])
    await support.submit('users.set_several_enabled', fields(true), '/admin/users')
    assert.deepEqual(await Promise.all(users.map(stateOf)), [false, false])
    const none = await support.submit('users.set_several_enabled', { enabled: 'true' }, '/admin/users')
    assert.match(none.answer.text, /Select at least one user\./)
    assert.ok(!(await stateOf(alice.sub)))
  })
})
