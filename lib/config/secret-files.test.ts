import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { type Environment, readConfig } from './env.ts'
import { secretNames } from './environment-fields.ts'

const masterKey = randomBytes(32).toString('base64')
const nextMasterKey = randomBytes(32).toString('base64')
let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-secrets-'))
})
after(() => rmSync(folder, { recursive: true }))

function put(name: string, content: string | Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

/** Returns the message of the ConfigError, or `accepted` if there is none. */
function refusal(environment: Environment): string {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(isConfigError(error), String(error))
    return error.message
  }
  return 'accepted'
}

test('each secret can be in a file, without a line break at its end', () => {
  const files = {
    MASTER_KEY_FILE: put('key', `${masterKey}\n`),
    MASTER_KEY_NEXT_FILE: put('next', `${nextMasterKey}\n`),
    METRICS_TOKEN_FILE: put('token', `${'x'.repeat(32)}\n`),
    DATABASE_URL_FILE: put('url', 'postgresql://u:p@db/latchkey\r\n'),
    SMTP_URL_FILE: put('smtp', 'smtps://mailer@mail.example.com\n'),
    SMTP_OAUTH_CLIENT_SECRET_FILE: put('client', 'a client secret'),
    SMTP_OAUTH_REFRESH_TOKEN_FILE: put('refresh', 'a token\n'),
    LATCHKEY_SIGNING_CERTIFICATE_PASSWORD_FILE: put('password', ' with spaces \n\n'),
  }
  assert.deepEqual(Object.keys(files).sort(), [...secretNames].map(name => `${name}_FILE`).sort())
  const config = readConfig({
    ...{ ...files, ISSUER: 'https://login.example', MAIL_FROM: 'noreply@example.com' },
    ...{ SMTP_OAUTH_TOKEN_URL: 'https://mail.example.com/token', SMTP_OAUTH_CLIENT_ID: 'mailer' },
  })
  assert.deepEqual([config.masterKey, config.nextMasterKey], [masterKey, nextMasterKey])
  assert.deepEqual(config.database, { kind: 'postgresql', url: 'postgresql://u:p@db/latchkey' })
  assert.equal(config.signingCertificatePassword, ' with spaces \n')
  const login = config.mail.kind === 'smtp' ? config.mail.server.login : null
  assert.partialDeepStrictEqual(login, {
    secret: { clientSecret: 'a client secret', refreshToken: 'a token' },
  })
})

test('a secret that is set twice is refused, whatever the file contains', () => {
  const twice = { MASTER_KEY: masterKey, MASTER_KEY_FILE: put('same', masterKey) }
  assert.equal(refusal(twice), 'MASTER_KEY_FILE is set, but MASTER_KEY is set too; remove one of them.')
  assert.equal(refusal({ ...twice, MASTER_KEY_FILE: '' }), 'accepted')
  assert.equal(refusal({ ...twice, MASTER_KEY: '' }), 'accepted')
})

test('a file without a usable secret stops the start, without its path, which may be the secret', () => {
  mkdirSync(join(folder, 'directory'))
  const refused: ReadonlyArray<readonly [string, RegExp]> = [
    [masterKey, /there is no such file; write the path of a file that contains the secret/],
    [join(folder, 'nothing'), /there is no such file/],
    [join(put('file', 'x'), 'below'), /there is no such file/],
    ['x'.repeat(5000), /there is no such file/],
    ['a\0b', /there is no such file/],
    [join(folder, 'directory'), /it is not the path of a regular file/],
    ['/dev/zero', /it is not the path of a regular file/],
    [put('empty', ''), /the file is empty/],
    [put('line', '\n'), /the file is empty/],
    [put('bytes', new Uint8Array([0xff, 0xfe, 0x41])), /the file is not text in UTF-8/],
    [put('long', 'x'.repeat(65_537)), /the file has more than 65536 bytes/],
  ]
  for (const [file, rule] of refused) {
    const message = refusal({ MASTER_KEY_FILE: file })
    assert.match(message, /^MASTER_KEY_FILE is \(not shown\), but [^\n]+\.$/)
    assert.match(message, rule)
    assert.ok(!message.includes(file))
  }
})

test('a secret in a file has the same rules, and is not in the message', () => {
  const file = put('short', 'too-short-a-key\n')
  const message = refusal({ MASTER_KEY_FILE: file })
  assert.match(message, /^MASTER_KEY is \(not shown\), but /)
  assert.ok(!message.includes('too-short'))
})

test('names that are almost those of a secret file are refused where they would be lost', () => {
  const file = put('database', 'postgresql://u:p@db/latchkey')
  assert.match(refusal({ DATABSE_URL_FILE: file }), /; did you mean "DATABASE_URL_FILE"\?$/)
  assert.equal(refusal({ DATABSE_URL_FILE: file, DATABASE_URL: 'file:x.db' }), 'accepted')
  assert.match(
    refusal({ LATCHKEY_SIGNING_CERTIFICATE_PASWORD_FILE: file }),
    /did you mean "LATCHKEY_SIGNING_CERTIFICATE_PASSWORD_FILE"\?$/,
  )
})

test('the example of the settings and the manual name each secret that can be in a file', () => {
  for (const document of ['.env.example', 'docs/configuration.md']) {
    const text = readFileSync(resolve(import.meta.dirname, '../..', document), 'utf8')
    const passage = /# Secrets can be .*?\n\n|\*\*Secrets from files.*?\n\n/s.exec(text)?.[0] ?? ''
    for (const name of secretNames) assert.ok(passage.includes(name), `${document}: ${name}`)
  }
})
