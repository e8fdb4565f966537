/** Tests `npm run import` while the server runs: imported users and clients keep their passwords and secrets. */
import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openAdmin, runImportCommand, signInAt } from '../fixtures/dashboard/administrator.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, send } from '../fixtures/requests/http-client.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

const folder = await mkdtemp(join(tmpdir(), 'latchkey-import-'))
after(() => rm(folder, { recursive: true, force: true }))

const password = 'the old password'
const salt = Buffer.alloc(16, 7)
/** A password hash in the format of ASP.NET Identity v2. */
const passwordHash = Buffer.concat([
  Buffer.from([0]),
  salt,
  pbkdf2Sync(password, salt, 1000, 32, 'sha1'),
]).toString('base64')

const content = {
  Clients: [
    { Id: 1, Enabled: true, ClientId: 'nightly', ClientName: 'Nightly job', Flow: 3 },
    { Id: 2, Enabled: true, ClientId: 'mixed', ClientName: 'Mixed', Flow: 2 },
  ],
  ClientSecrets: [
    { Id: 1, Value: 'K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=', Type: 'SharedSecret', Client_Id: 1 },
  ],
  ClientScopes: [{ Id: 1, Scope: 'stock', Client_Id: 1 }],
  Scopes: [{ Id: 1, Enabled: true, Name: 'stock', DisplayName: 'Stock', Type: 1 }],
  AspNetUsers: [
    {
      Id: 'b9a1f5d0-0000-4000-8000-00000000000a',
      UserName: 'agnes',
      Email: 'agnes@example.com',
      EmailConfirmed: true,
      PasswordHash: passwordHash,
    },
  ],
}

describe('an import into a running server', () => {
  const latchkey = latchkeySuite()
  const run = async (...given: readonly string[]) => {
    const file = join(folder, 'export.json')
    await writeFile(file, JSON.stringify(content))
    return runImportCommand(latchkey.server, ['identityserver3', file, ...given])
  }

  test('is a report first, and imports nothing without --yes or with a refusal', async () => {
    const reported = await run('--skip-refused')
    assert.equal(reported.code, 0, reported.output)
    assert.match(reported.output, /clients +1 +0 +0 +0 +1/)
    assert.match(reported.output, /This was a dry run: nothing was imported/)
    const tried = await run('--dry-run')
    assert.equal(tried.code, 1)
    assert.match(
      tried.output,
      /This was a dry run: nothing was imported. An import would stop, because something/,
    )
    const refused = await run('--yes')
    assert.equal(refused.code, 1)
    assert.match(refused.output, /Nothing was imported, because something is refused/)
    assert.match(refused.output, /Clients\[1\] mixed: has no secret that can be taken over/)
    const form = { grant_type: 'client_credentials', scope: 'stock' }
    const headers = basic('nightly', 'secret')
    assert.equal((await send(latchkey.issuer, '/connect/token', { form, headers })).status, 401)
  })

  test('makes the old secret and the old password work immediately, and is listed under Changes', async () => {
    const owner = await openAdmin(latchkey.server)
    const done = await run('--yes', '--skip-refused')
    assert.equal(done.code, 0, done.output)
    assert.match(done.output, /Imported\.\n$/)
    const form = { grant_type: 'client_credentials', scope: 'stock' }
    const answer = await send(latchkey.issuer, '/connect/token', {
      form,
      headers: basic('nightly', 'secret'),
    })
    assert.equal(answer.status, 200, answer.text)
    const [header = ''] = String(answer.json().access_token).split('.')
    assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).typ, 'JWT')
    const page = '/admin/users/b9a1f5d0-0000-4000-8000-00000000000a'
    assert.match((await owner.get('/admin/users')).text, /1 user has an imported password hash/)
    assert.match((await owner.get(page)).text, /Set \(imported; the next sign-in replaces its hash\)/)
    const { answer: account } = await signInAt(newBrowser(latchkey.issuer), '/account', {
      username: 'agnes',
      password,
    })
    assert.match(account.text, /agnes/)
    assert.doesNotMatch((await owner.get('/admin/users')).text, /imported password hash/)
    assert.doesNotMatch((await owner.get(page)).text, /imported;/)
    const { text } = await owner.get('/admin/changes')
    assert.match(text, /imported data/)
    assert.match(text, /by an import/)
    assert.match(
      (await run('--yes', '--skip-refused')).output,
      /Nothing to import: all of it is here already/,
    )
  })

  const mistakes: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown product', ['duende', 'x.json'], /"duende" is not a product/],
    ['a missing file', ['identityserver3', 'nowhere.json'], /There is no file nowhere\.json/],
    ['two answers', ['identityserver3', join(folder, 'export.json'), '--yes', '--dry-run'], /Choose one of/],
    ['an unknown option', ['identityserver3', 'x.json', '--force'], /--force/],
  ]
  for (const [name, given, expected] of mistakes)
    test(`names ${name}`, async () => {
      const { code, output } = await runImportCommand(latchkey.server, given)
      assert.equal(code, 2)
      assert.match(output, expected)
    })
})
