import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { endpointNames } from '#lib/protocol/vocabulary.ts'
import { type Environment, readConfig } from './env.ts'
import { environmentNames } from './environment-fields.ts'

const masterKey = randomBytes(32).toString('base64')
const production = { ISSUER: 'https://login.example', MASTER_KEY: masterKey }

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

test('an empty environment is a demo on a loopback address', () => {
  const config = readConfig({})
  assert.deepEqual(config, {
    listen: [{ host: '127.0.0.1', port: 3000, isIpv6Only: false }],
    isForThisMachine: true,
    isOnSocket: false,
    issuer: 'http://localhost:3000',
    siteName: 'Latchkey',
    database: { kind: 'sqlite', file: resolve('data/latchkey.db') },
    ...{ workers: 1, databaseConnections: 12, metrics: null, telemetry: null },
    dataDir: resolve('data'),
    configFile: null,
    extensionsFile: null,
    breachedPasswordsFile: null,
    help: null,
    trustProxy: false,
    trustedProxies: [],
    adminAddresses: null,
    ...{ masterKey: null, masterKeyCommand: null, nextMasterKey: null },
    logLevel: 'info',
    demo: true,
    isDemoRequested: false,
    isLoopback: true,
    allowTokenInQuery: true,
    accessTokenFormat: 'rfc9068',
    hasKeyCertificates: false,
    signingCertificate: null,
    signingCertificatePassword: null,
    refreshRetryWindowSeconds: 60,
    enabledEndpoints: new Set(endpointNames),
    localLogin: true,
    signOutPrompt: 'without-hint',
    ...{ mail: config.mail, insecureHttp: false },
    ...{ relyingParty: config.relyingParty, relatedOrigins: [], discardedRelyingParty: null },
  })
  assert.ok(Object.isFrozen(config))
})

test('empty variables count as unset, and foreign ones are ignored', () => {
  const empty = Object.fromEntries([...environmentNames, 'LATCHKEY_X'].map(name => [name, '']))
  assert.deepEqual(readConfig({ ...empty, PATH: '/bin', LATCH: 'x', MY_LATCHKEY_X: 'y' }), readConfig({}))
})

test('the default issuer contains the port', () => {
  assert.equal(readConfig({ PORT: '8080' }).issuer, 'http://localhost:8080')
  assert.equal(readConfig({ PORT: '80' }).issuer, 'http://localhost')
})

test('a public issuer has no demo', () => {
  const config = readConfig({ ...production, HOST: '0.0.0.0' })
  assert.equal(config.demo, false)
  assert.equal(config.isLoopback, false)
})

test('the database is chosen by its URL', () => {
  const databaseOf = (url: string) => readConfig({ DATABASE_URL: url, DATA_DIR: '/srv' }).database
  assert.deepEqual(databaseOf('file:/srv/x.db'), { kind: 'sqlite', file: '/srv/x.db' })
  assert.deepEqual(databaseOf('file:///srv/x.db'), { kind: 'sqlite', file: '/srv/x.db' })
  assert.deepEqual(databaseOf('file:./x.db'), { kind: 'sqlite', file: resolve('x.db') })
  for (const url of ['postgresql://u:p@db/latchkey', 'postgres://db/latchkey']) {
    assert.deepEqual(databaseOf(url), { kind: 'postgresql', url })
  }
  assert.deepEqual(databaseOf(''), { kind: 'sqlite', file: '/srv/latchkey.db' })
})

test('AD-09 the dashboard is open to all addresses without an admin IP allow-list', () => {
  const addresses = (text: string) => readConfig({ LATCHKEY_ADMIN_ADDRESSES: text }).adminAddresses
  assert.equal(addresses(''), null)
  assert.deepEqual(addresses('10.0.0.0/8, ::1'), ['10.0.0.0/8', '::1'])
})

test('proxies are trusted only if they are configured', () => {
  const trust = (text: string) => {
    const { trustProxy, trustedProxies } = readConfig({ TRUST_PROXY: text })
    return [trustProxy, trustedProxies]
  }
  assert.deepEqual(trust(''), [false, []])
  assert.deepEqual(trust('FALSE'), [false, []])
  assert.deepEqual(trust('true'), [true, []])
  assert.deepEqual(trust('10.0.0.0/8, ::1'), [true, ['10.0.0.0/8', '::1']])
})

const refused: ReadonlyArray<readonly [string, Environment, RegExp]> = [
  [
    'an invalid port',
    { PORT: '80800' },
    /^PORT is "80800", but it must be a whole number from 1 to 65535\.$/,
  ],
  ['a port with a unit', { PORT: '3000x' }, /^PORT is "3000x"/],
  ['a host with a port', { HOST: '0.0.0.0:80' }, /^HOST is "0\.0\.0\.0:80", but/],
  [
    'an invalid issuer',
    { ISSUER: 'login.example' },
    /^ISSUER is "login\.example", but it must be an address/,
  ],
  ['an issuer with a slash', { ISSUER: 'https://a.example/' }, /so use "https:\/\/a\.example"/],
  ['an issuer with a path', { ISSUER: 'https://a.example/auth' }, /without path/],
  ['an issuer in upper case', { ISSUER: 'https://A.example' }, /so use "https:\/\/a\.example"/],
  [
    'an issuer with a password, which is not repeated',
    { ISSUER: 'https://u:p@a.example' },
    /^ISSUER is \(not shown\), but it must not contain a user name or password, so use "https:\/\/a\.example"\.$/,
  ],
  [
    'an invalid issuer with a password',
    { ISSUER: 'u:p@a example' },
    /^ISSUER is \(not shown\), but it must be an address/,
  ],
  [
    'a byte order mark in .env',
    { '\ufeffPORT': '4000' },
    /^\.env begins with a byte order mark, so its first setting, PORT, would be lost; save the file as UTF-8/,
  ],
  [
    'a site name that reverses what follows it',
    { LATCHKEY_SITE_NAME: 'Bank\u202e' },
    /^LATCHKEY_SITE_NAME is ".*", but it must not contain control or direction characters\.$/,
  ],
  [
    'a help address of another kind',
    { LATCHKEY_HELP_URL: 'javascript:alert(1)' },
    /^LATCHKEY_HELP_URL is "javascript:alert\(1\)", but it must begin with https:, http: or mailto:\.$/,
  ],
  ['a site name of two lines', { LATCHKEY_SITE_NAME: 'Our\nBank' }, /^LATCHKEY_SITE_NAME is .* control/],
  [
    'an invisible site name',
    { LATCHKEY_SITE_NAME: ' \u00a0\u3164 ' },
    /^LATCHKEY_SITE_NAME is ".*", but it must contain a visible character\.$/,
  ],
  [
    'a long site name',
    { LATCHKEY_SITE_NAME: 'x'.repeat(101) },
    /, but it must not be longer than 100 characters\.$/,
  ],
  [
    'CF-01 a public http issuer',
    { ISSUER: 'http://a.example' },
    /^ISSUER is "http:\/\/a\.example", but .*LATCHKEY_INSECURE_HTTP/,
  ],
  [
    'CF-01 an issuer that only looks like loopback',
    { ISSUER: 'http://127.0.0.1.evil.test' },
    /LATCHKEY_INSECURE_HTTP/,
  ],
  [
    'CR-04 a public issuer without a master key',
    { ISSUER: 'https://a.example' },
    /^MASTER_KEY is not set, but/,
  ],
  [
    'CR-04 a short master key',
    { MASTER_KEY: 'c2hvcnQ=' },
    /^MASTER_KEY is \(not shown\), but it has 5 bytes and needs at least 32/,
  ],
  [
    'CR-04 a master key that is typed text',
    { MASTER_KEY: 'correct horse battery staple!' },
    /neither base64 nor hex/,
  ],
  ['CR-04 a default master key', { MASTER_KEY: '0'.repeat(64) }, /not random/],
  [
    'a database of another kind',
    { DATABASE_URL: 'mysql://root:hunter2@db/x' },
    /^DATABASE_URL is \(not shown\), but/,
  ],
  [
    'an unknown log level',
    { LOG_LEVEL: 'verbose' },
    /^LOG_LEVEL is "verbose", but it must be one of fatal, error/,
  ],
  ['an invalid proxy address', { TRUST_PROXY: '10.0.0.0/8,proxy' }, /"proxy" is not an address/],
  ['an invalid proxy range', { TRUST_PROXY: '10.0.0.0/33' }, /"10\.0\.0\.0\/33" is not an address/],
  [
    'an invalid address of the admin IP allow-list',
    { LATCHKEY_ADMIN_ADDRESSES: '10.0.0.0/8,office' },
    /^LATCHKEY_ADMIN_ADDRESSES is "10\.0\.0\.0\/8,office", but "office" is not an address; use addresses and ranges .+\.$/,
  ],
  ['a comma with nothing behind it', { LATCHKEY_ADMIN_ADDRESSES: '10.0.0.0/8,' }, /it has a comma without/],
  [
    'a word instead of an admin IP allow-list',
    { LATCHKEY_ADMIN_ADDRESSES: 'true' },
    /but "true" is not an address/,
  ],
  [
    'a switch that is neither on nor off',
    { LATCHKEY_TOKEN_IN_QUERY: 'maybe' },
    /^LATCHKEY_TOKEN_IN_QUERY is "maybe", but it must be true or false\.$/,
  ],
  [
    'RT-04 a refresh retry window over ten minutes',
    { LATCHKEY_REFRESH_GRACE_SECONDS: '601' },
    /^LATCHKEY_REFRESH_GRACE_SECONDS is "601", but .* 0 to 600/,
  ],
  [
    'a misspelt setting',
    { LATCHKEY_CONFG: 'x.json' },
    /^LATCHKEY_CONFG is "x\.json", but there is no such setting; did you mean "LATCHKEY_CONFIG"\?$/,
  ],
  ['a setting with a prefix too much', { LATCHKEY_PORT: '80' }, /did you mean "PORT"\?/],
  [
    'an unknown setting',
    { LATCHKEY_QUITE_OTHER: 'x' },
    /^LATCHKEY_QUITE_OTHER is "x", but there is no such setting; remove it\.$/,
  ],
  [
    'the demo on another address',
    { HOST: '0.0.0.0' },
    /^HOST is "0\.0\.0\.0", but the demo's passwords are public/,
  ],
  [
    'the demo on a public issuer',
    { ...production, LATCHKEY_DEMO: 'true' },
    /^LATCHKEY_DEMO is "true", but the issuer/,
  ],
  [
    'the demo together with a configuration',
    { LATCHKEY_DEMO: 'true', LATCHKEY_CONFIG: 'a.json' },
    /remove one of them/,
  ],
]

for (const [name, environment, sentence] of refused) {
  test(`refuses ${name} in one sentence`, () => {
    const message = refusal(environment)
    assert.match(message, sentence)
    assert.ok(!message.includes('\n'))
  })
}

test('LG-03 a message does not contain a value that may be secret', () => {
  const secrets = ['hunter2hunter2', randomBytes(8).toString('hex')]
  for (const name of [
    'MASTER_KEY',
    'DATABASE_URL',
    'LATCHKEY_MASTER_KEY',
    'LATCHKEY_CLIENT_SECRET',
    'LATCHKEY_DATABASE_URL',
  ]) {
    for (const secret of secrets) {
      const message = refusal({ [name]: secret })
      assert.notEqual(message, 'accepted')
      assert.ok(!message.includes(secret), message)
    }
  }
})

test('CF-01 LATCHKEY_INSECURE_HTTP allows a public http issuer', () => {
  const config = readConfig({
    ISSUER: 'http://a.example',
    LATCHKEY_INSECURE_HTTP: 'true',
    MASTER_KEY: masterKey,
  })
  assert.equal(config.insecureHttp, true)
})

test('CF-02 the demo is off with a configuration, with a public issuer, or on request', () => {
  assert.equal(readConfig({ LATCHKEY_CONFIG: 'a.json', HOST: '0.0.0.0' }).demo, false)
  assert.equal(readConfig({ LATCHKEY_DEMO: 'false', HOST: '0.0.0.0' }).demo, false)
  assert.equal(readConfig(production).demo, false)
  for (const issuer of ['http://127.0.0.1:9', 'http://[::1]:9', 'https://localhost'])
    assert.equal(readConfig({ ISSUER: issuer }).demo, true)
})

test('a master key can be base64, base64url or hex', () => {
  for (const encoding of ['base64', 'base64url', 'hex'] as const)
    assert.equal(refusal({ MASTER_KEY: randomBytes(32).toString(encoding) }), 'accepted')
})

test('the enabled endpoints are a list of names', () => {
  const { enabledEndpoints } = readConfig({ LATCHKEY_ENABLED_ENDPOINTS: 'token, discovery' })
  assert.match(refusal({ LATCHKEY_ENABLED_ENDPOINTS: ',token' }), /it has a comma without/)
  assert.deepEqual([...enabledEndpoints], ['token', 'discovery'])
  assert.match(
    refusal({ LATCHKEY_ENABLED_ENDPOINTS: 'token,tokens' }),
    /^LATCHKEY_ENABLED_ENDPOINTS is "token,tokens", but "tokens" is not an endpoint; use authorize, token, /,
  )
})
