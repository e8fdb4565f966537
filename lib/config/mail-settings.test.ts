import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isConfigError } from '#lib/errors/config-error.ts'
import { readMailSettings } from './mail-settings.ts'

const local = { isLoopback: true, dataDir: '/data' }
const remote = { isLoopback: false, dataDir: '/data' }
const MAIL_FROM = 'Harbor <noreply@example.org>'

test('without settings, mails are files on a local server, and off elsewhere', () => {
  assert.deepEqual(readMailSettings({}, local), {
    kind: 'folder',
    folder: '/data/mail',
    sender: { name: null, address: 'noreply@localhost' },
  })
  assert.deepEqual(readMailSettings({}, remote), { kind: 'off' })
})

const servers: readonly (readonly [url: string, server: object])[] = [
  ['smtps://mail.example.org', { host: 'mail.example.org', port: 465, tls: 'implicit', login: null }],
  [
    'smtp://harbor:p%40ss%2Fword@mail.example.org',
    { host: 'mail.example.org', port: 587, tls: 'starttls', login: { user: 'harbor', secret: 'p@ss/word' } },
  ],
  ['smtp://127.0.0.1:1025/', { host: '127.0.0.1', port: 1025, tls: 'none', login: null }],
  ['smtp://[::1]:1025', { host: '::1', port: 1025, tls: 'none', login: null }],
]
for (const [SMTP_URL, server] of servers)
  test(`the mail server ${SMTP_URL}`, () => {
    const sender = { name: 'Harbor', address: 'noreply@example.org' }
    assert.deepEqual(readMailSettings({ SMTP_URL, MAIL_FROM }, remote), { kind: 'smtp', server, sender })
  })

const wrong: readonly (readonly [
  SMTP_URL: string | undefined,
  MAIL_FROM: string | undefined,
  message: RegExp,
])[] = [
  ['smtps://mail.example.org', undefined, /^MAIL_FROM is not set, but SMTP_URL is;/],
  [
    'https://canary:canary@mail.example.org',
    MAIL_FROM,
    /^SMTP_URL is \(not shown\), but it must be an address such as/,
  ],
  ['smtp://mail.example.org:0', MAIL_FROM, /must be from 1 to 65535/],
  ['smtp://mail.example.org:465', MAIL_FROM, /port 465 needs smtps/],
  ['smtps://mail.example.org:587', MAIL_FROM, /port 587 needs smtp:/],
  [undefined, MAIL_FROM, /^MAIL_FROM is set, but SMTP_URL is not;/],
  ['smtps://mail.example.org', 'Har\u202ebor <a@example.org>', /^MAIL_FROM is/],
  ['smtp://user:@mail.example.org', MAIL_FROM, /must have a user and a password, or neither/],
  ['smtp://user:50%@mail.example.org', MAIL_FROM, /not percent-encoded/],
  ['smtp://mail.example.org/?tls=false', MAIL_FROM, /must end after the host or the port/],
  ['smtps://mail.example.org', 'noreply', /^MAIL_FROM is "noreply", but it must be an address/],
  [undefined, 'a@example.org, b@example.org', /^MAIL_FROM is/],
  [undefined, 'Harbor <a@example.org>\r\nBcc: b@example.org', /^MAIL_FROM is/],
]
for (const [SMTP_URL, from, message] of wrong)
  test(`refuses ${SMTP_URL} from ${JSON.stringify(from)}`, () => {
    assert.throws(
      () => readMailSettings({ SMTP_URL, MAIL_FROM: from }, remote),
      error => isConfigError(error) && message.test(error.message) && !error.message.includes('canary'),
    )
  })

const oauth = {
  SMTP_OAUTH_TOKEN_URL: 'https://login.example.org/token',
  SMTP_OAUTH_CLIENT_ID: 'harbor',
  SMTP_OAUTH_CLIENT_SECRET: 'canary',
}

test('a mail server with OAuth needs a user, and no password', () => {
  const settings = readMailSettings(
    { SMTP_URL: 'smtp://harbor@mail.example.org', MAIL_FROM, ...oauth },
    remote,
  )
  assert.ok(settings.kind === 'smtp')
  assert.deepEqual(settings.server.login, {
    user: 'harbor',
    secret: {
      tokenUrl: 'https://login.example.org/token',
      clientId: 'harbor',
      clientSecret: 'canary',
      scope: null,
      refreshToken: null,
    },
  })
  const rows = [
    [{ SMTP_URL: 'smtp://harbor:x@mail.example.org', ...oauth }, /must have a user and no password/],
    [{ SMTP_URL: 'smtp://mail.example.org', ...oauth }, /must have a user and no password/],
    [
      { SMTP_URL: 'smtp://a@mail.example.org', ...oauth, SMTP_OAUTH_TOKEN_URL: 'http://login.example.org' },
      /must be an https address/,
    ],
    [
      {
        SMTP_URL: 'smtp://a@mail.example.org',
        ...oauth,
        SMTP_OAUTH_TOKEN_URL: 'https://a:canary@login.example.org',
      },
      /must be an https address without a user/,
    ],
    [
      {
        SMTP_URL: 'smtp://a@mail.example.org',
        ...oauth,
        SMTP_OAUTH_TOKEN_URL: 'http://127.0.0.1/token',
      },
      /must be an https address/,
    ],
    [
      { SMTP_URL: 'smtp://a:b@mail.example.org', SMTP_OAUTH_CLIENT_ID: 'x' },
      /SMTP_OAUTH_TOKEN_URL is not; set it/,
    ],
    [oauth, /but SMTP_URL is not/],
    [
      { SMTP_URL: 'smtp://a@mail.example.org', SMTP_OAUTH_TOKEN_URL: oauth.SMTP_OAUTH_TOKEN_URL },
      /not both set/,
    ],
  ] as const
  for (const [given, message] of rows)
    assert.throws(
      () => readMailSettings({ MAIL_FROM, ...given }, remote),
      error => isConfigError(error) && message.test(error.message) && !error.message.includes('canary'),
    )
})

test('a name in quotes may have a comma', () => {
  const settings = readMailSettings({ MAIL_FROM: '"Example, Inc" <a@example.org>' }, local)
  assert.deepEqual(settings.kind === 'folder' && settings.sender, {
    name: 'Example, Inc',
    address: 'a@example.org',
  })
})
