/** Tests the history of clients, scopes and providers, in which versions are compared and restored. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Admin } from '../fixtures/dashboard/administrator.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { type Answer, withQuery } from '../fixtures/requests/http-client.ts'
import { bob } from '../fixtures/server/configuration.ts'

describe('history of managed objects', () => {
  let owner: Admin
  let auditor: Admin
  sharedStaff(({ all }) => {
    ;({ owner, auditor } = all)
  })
  before(async () => {
    await owner.submit('scopes.create', { name: 'tides', kind: 'resource', claims: 'role' })
    await owner.submit('scopes.update', {
      name: 'tides',
      kind: 'resource',
      version: '1',
      claims: 'role email',
    })
  })

  test('only objects of the configuration file say that the next start overwrites changes', async () => {
    const said = async (path: string) => (await owner.get(path)).text.includes('LATCHKEY_CONFIG')
    const ofTheFile = [
      'clients/web',
      'clients/web/secrets',
      'scopes/api',
      `users/${bob.sub}`,
      'providers/second',
    ]
    for (const path of [...ofTheFile, 'administrators']) assert.ok(await said(`/admin/${path}`), path)
    for (const path of ['scopes/tides', 'scopes/phone', 'clients/web/access'])
      assert.equal(await said(`/admin/${path}`), false, path)
  })

  /** The versions that the page offers to compare, newest first: `now`, then the changes. */
  function offered({ text }: Answer): readonly string[] {
    const [select = ''] = /<select[^>]*name="from"[\s\S]*?<\/select>/.exec(text) ?? []
    return [...select.matchAll(/value="([^"]+)"/g)].map(([, value = '']) => value)
  }

  /** The fields that a restore button sends. */
  function restoring({ text }: Answer, label: string): Record<string, string> {
    const forms = text.split('<form').filter(form => form.includes(label))
    const inputs = [...(forms[0] ?? '').matchAll(/type="hidden" name="([^_"][^"]*)" value="([^"]*)"/g)]
    return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]))
  }

  test('two versions are compared, selected by the query', async () => {
    const page = await owner.get('/admin/scopes/tides/history')
    const [now, second, first] = offered(page)
    assert.equal(now, 'now')
    assert.ok(second !== undefined && first !== undefined)
    const compared = await owner.get(withQuery('/admin/scopes/tides/history', { from: first, to: 'now' }))
    const [shown = ''] = /id="compare"[\s\S]*?<\/section>/.exec(compared.text) ?? []
    assert.match(shown, /<ins>role<strong class="changed-words">\s*email<\/strong><\/ins>/)
    const same = await owner.get(withQuery('/admin/scopes/tides/history', { from: second, to: 'now' }))
    assert.match(same.text, /No field changed/)
  })

  test('a deleted scope is listed and can be restored', async () => {
    const linked = async () =>
      (await owner.get('/admin/changes?target_id=tides')).text.includes('href="/admin/scopes/tides"')
    assert.ok(await linked())
    await owner.submit('scopes.delete', { name: 'tides', version: '2' })
    assert.equal(await linked(), false, 'no change links to the deleted scope')
    assert.equal((await owner.get('/admin/scopes/tides')).status, 404)
    assert.match((await owner.get('/admin/scopes/deleted')).text, /href="\/admin\/scopes\/tides\/history"/)
    const gone = await owner.get('/admin/scopes/tides/history')
    const back = await owner.submit(
      'scopes.restore',
      restoring(gone, 'Restore'),
      '/admin/scopes/tides/history',
    )
    assert.match(back.answer.text, /Version restored/)
    assert.equal((await owner.get('/admin/scopes/tides')).status, 200)
    assert.doesNotMatch((await owner.get('/admin/scopes/deleted')).text, /tides/)
  })

  test('a deleted client can be restored', async () => {
    const page = await owner.get('/admin/clients/other')
    const version = /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? ''
    await owner.submit('clients.delete', { client_id: 'other', version })
    const gone = await owner.get('/admin/clients/other/history')
    assert.match(gone.text, /add a secret afterwards/)
    await owner.submit('clients.restore', restoring(gone, 'Restore'))
    const client = await owner.get('/admin/clients/other')
    assert.deepEqual([client.status, client.text.includes('Other Web App')], [200, true])
  })

  test('an identity provider has a history, and restoring a deleted one requires its secret', async () => {
    const page = await owner.get('/admin/providers/closed')
    const version = /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? ''
    await owner.submit('providers.set_enabled', { scheme: 'closed', version, enabled: 'true' })
    const history = await owner.get('/admin/providers/closed/history')
    assert.match(history.text, /Restore this version|Compare|change \d+/)
    await owner.submit('providers.delete', {
      scheme: 'closed',
      version: String(Number(version) + 1),
      confirm: 'closed',
    })
    const gone = await owner.get('/admin/providers/closed/history')
    const sent = restoring(gone, 'Restore')
    const asked = await owner.submit('providers.restore', sent, '/admin/providers/closed/history')
    assert.match(asked.answer.text, /id="client_secret-error"/)
    await owner.submit('providers.restore', { ...sent, client_secret: 'typed again' })
    assert.equal((await owner.get('/admin/providers/closed')).status, 200)
  })

  test('AD-01 an auditor can compare versions but not restore them', async () => {
    const page = await auditor.get('/admin/scopes/tides/history')
    assert.ok(offered(page).length > 1)
    assert.doesNotMatch(page.text, /Restore this version/)
    const posted = await auditor.post('scopes.restore', { name: 'tides', version: '1', seq: '1' })
    assert.equal(posted.status, 403)
  })
})
