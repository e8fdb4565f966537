import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createPasswordFlaws } from '#lib/crypto/passwords/password-flaws.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { demoConfiguration } from './demo.ts'
import { loadConfiguration } from './load-configuration.ts'

const folder = await mkdtemp(join(tmpdir(), 'latchkey-configuration-'))
after(() => rm(folder, { recursive: true }))
const issuer = 'http://localhost:3000'
const flawsOf = createPasswordFlaws()
const here = { demo: false, issuer, siteName: 'Harbour' }

async function refusal(text: string | Buffer): Promise<string> {
  const configFile = join(folder, 'file.json')
  await writeFile(configFile, text)
  try {
    await loadConfiguration({ ...here, configFile })
  } catch (error) {
    assert.ok(isConfigError(error), String(error))
    return error.message
  }
  return 'accepted'
}

test('reads a file, also one with a byte order mark', async () => {
  assert.equal(await refusal('{"clients":[]}'), 'accepted')
  assert.equal(await refusal('\ufeff{}'), 'accepted')
})

test('a file in a different encoding is distinguished from one with a syntax error', async () => {
  const text = '{"users":[{"username":"Zoë"}]}'
  const latin = await refusal(Buffer.from(text, 'latin1'))
  assert.match(latin, /^LATCHKEY_CONFIG is ".*", but it is not valid UTF-8; save it as UTF-8\.$/)
  const utf16 = Buffer.from(text, 'utf16le')
  for (const bytes of [utf16, Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), Buffer.from(utf16).swap16()])
    assert.match(await refusal(bytes), /, but it is written in UTF-16; save it as UTF-8\.$/)
})

test('the message for a file that is nested too deeply has the position', async () => {
  const deep = `{"users":${'['.repeat(5000)}${']'.repeat(5000)}}`
  assert.match(await refusal(deep), /not right at line 1, column 73: more than 64 brackets are open\.$/)
})

test('a problem is reported with the file and the position in it', async () => {
  assert.match(
    await refusal('{"clients":[{"client_id":"a"}]}'),
    /^LATCHKEY_CONFIG is ".*file\.json", but it has 2 problems:\n {2}clients\[0\]\.redirect_uris: /,
  )
  assert.match(
    await refusal('{"users":[{"username":"a","username":"b"}]}'),
    /not right at line 1, column 27: the key "users\[0\]\.username" appears twice\.$/,
  )
  assert.match(await refusal('{\n  "users": [,]\n}'), /not right at line 2, column 13: a value is missing\.$/)
  assert.match(await refusal('{\n\n"users": [],\n}'), /line 3, column 12: remove this comma: .*\.$/)
  assert.match(await refusal('{\n  // ours\n"users": []}'), /line 2, column 3: remove this comment: .*\.$/)
  const secretless = '{"clients":[{"client_id":"job","grant_types":["client_credentials"]}]}'
  assert.match(
    await refusal(secretless),
    /, but clients\[0\]\.client_secret is missing; a public client says .*\.$/,
  )
  assert.match(await refusal('clients:\n  - client_id: web\n'), /line 1, column 1: this looks like YAML/)
  assert.match(await refusal(''), /line 1, column 1: the file ends, but a value is missing\.$/)
})

test('AU-02 reports all rejected passwords together with other problems, if all will be set', async () => {
  const text =
    '{"users":[{"username":"carol","password":"sunshine1"},{"username":"dan","password":"password123"}],"x":1}'
  const configFile = join(folder, 'passwords.json')
  await writeFile(configFile, text)
  await assert.rejects(loadConfiguration({ ...here, configFile }, { flawsOf }), error => {
    assert.ok(isConfigError(error))
    assert.match(
      error.message,
      /3 problems:\n {2}the file: .*\n {2}users\[0\]\.password: .*\.\n {2}users\[1\]\.password: .*\.$/,
    )
    return true
  })
  assert.doesNotMatch(await refusal(text), /password/)
})

test('AU-02 reports everything that is wrong with a password in one line, also of a user with another problem', async () => {
  const configFile = join(folder, 'short-passwords.json')
  await writeFile(configFile, '{"users":[{"username":" carol","password":"qwerty"},{"password":"carol+7"}]}')
  await assert.rejects(loadConfiguration({ ...here, configFile }, { flawsOf }), error => {
    assert.ok(isConfigError(error))
    assert.deepEqual(error.message.split('\n').slice(1), [
      '  users[0].username: must not begin or end with a blank.',
      '  users[1].username: is missing.',
      '  users[0].password: must have at least 8 characters and is one of the passwords that attackers try first.',
      '  users[1].password: must have at least 8 characters.',
    ])
    return true
  })
})

test('reports every invalid standard claim, and accepts other claims', async () => {
  const right = {
    name: 'Carol',
    email_verified: true,
    updated_at: 1_700_000_000,
    birthdate: '0000-12-31',
    address: { country: 'GB' },
    website: 'https://carol.example',
    role: 7,
  }
  const wrong = {
    email_verified: 'true',
    updated_at: '1700000000',
    birthdate: 'yesterday',
    address: 'Str 1',
    website: 'not a url',
    'name#de': 1,
  }
  const text = JSON.stringify({
    users: [
      { username: 'carol', claims: right },
      { username: 'dan', claims: wrong },
    ],
  })
  const said = await refusal(text)
  assert.match(said, /it has 6 problems:/)
  for (const line of [
    'users[1].claims.email_verified: must be true or false.',
    'users[1].claims.updated_at: must be a number: seconds since 1970.',
    'users[1].claims.website: must be an http or https address such as "https://example.com/alice".',
  ])
    assert.ok(said.includes(`\n  ${line}`), said)
})

test('LG-03 never quotes what may be a secret', async () => {
  for (const text of [
    '{"clients":[{"client_secret":"hunter2hunter2" "x"}]}',
    '{"users":[{"username":"a","password":"hunter2", "sub":"ü"}]}',
  ]) {
    assert.ok(!(await refusal(text)).includes('hunter2'))
  }
})

test('says that a file is missing', async () => {
  const configFile = join(folder, 'absent.json')
  await assert.rejects(
    loadConfiguration({ ...here, configFile }),
    /^ConfigError: LATCHKEY_CONFIG is ".*absent\.json", but there is no such file; a relative path begins at .*\.$/,
  )
})

test('without a file the demo, or an empty configuration, is loaded', async () => {
  assert.equal((await loadConfiguration({ ...here, configFile: null, demo: true })).source, 'demo')
  const none = await loadConfiguration({ ...here, configFile: null })
  assert.equal(none.source, 'none')
  assert.deepEqual(none.configuration.clients, [])
})

test('the demo is a valid configuration on every loopback issuer, with passwords that may be set', async () => {
  for (const address of [
    'http://localhost:3000',
    'http://127.0.0.1:4000',
    'http://[::1]:5000',
    'http://127.0.0.2:6000',
    'http://auth.localhost:7000',
    'https://localhost',
  ]) {
    const { configuration } = await loadConfiguration({
      ...here,
      configFile: null,
      demo: true,
      issuer: address,
    })
    const grants = new Set(configuration.clients.flatMap(client => client.grant_types))
    assert.deepEqual([...grants].sort(), [
      'authorization_code',
      'client_credentials',
      'implicit',
      'password',
      'refresh_token',
    ])
  }
  for (const user of demoConfiguration(issuer).users ?? []) {
    assert.deepEqual(await flawsOf(user.password ?? '', { minimum: 8, words: [user.username] }), [])
  }
})

test('CN-09 a client cannot have the name of this site', async () => {
  const named = (name: string) =>
    refusal(
      JSON.stringify({
        clients: [
          {
            client_id: 'a',
            client_name: name,
            client_secret: 'a chosen secret',
            redirect_uris: ['https://app.example/cb'],
          },
        ],
      }),
    )
  for (const name of ['Harbour', 'HΑRBOUR', 'Har\u200bbour', 'Latchkey', 'Iatchkey']) {
    assert.match(
      await named(name),
      /clients\[0\]\.client_name: .*looks like "(Harbour|Latchkey)", the sign-in itself; name the app\.$/,
      name,
    )
  }
  assert.equal(await named('Harbour Ledger'), 'accepted')
})

test('the names of the dashboard are taken: its client, its scope', async () => {
  const client = { client_secret: 'a chosen secret', redirect_uris: ['https://app.example/cb'] }
  for (const [document, problem] of [
    [
      { clients: [{ ...client, client_id: 'latchkey-admin' }] },
      /clients\[0\]\.client_id: .*is the dashboard itself/,
    ],
    [{ scopes: [{ name: 'latchkey.admin', kind: 'resource' }] }, /scopes\[0\]\.name: .*opens the admin API/],
    [{ users: [{ username: 'a', sub: 'latchkey-admin' }] }, /users\[0\]\.sub: .*is the dashboard itself/],
  ] as const)
    assert.match(await refusal(JSON.stringify(document)), problem)
  assert.equal(
    await refusal(JSON.stringify({ clients: [{ ...client, client_id: 'latchkey-admin2' }] })),
    'accepted',
  )
})
