import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '#lib/config/env.ts'
import { checkSettings } from './settings.ts'

const settings = {
  ISSUER: 'https://login.example.com',
  MASTER_KEY: randomBytes(32).toString('base64'),
  TRUST_PROXY: '10.0.0.1',
  SMTP_URL: 'smtps://mail.example.com',
  MAIL_FROM: 'login@example.com',
  LATCHKEY_ADMIN_ADDRESSES: '10.0.0.0/8',
}

const problemsOf = (changes: Readonly<Record<string, string>>) =>
  checkSettings(readConfig({ ...settings, ...changes }))
    .filter(({ severity }) => severity !== 'good')
    .map(({ check, text }) => `${check}: ${text}`)

for (const [title, changes, expected] of [
  ['good settings have no problem', {}, /^$/],
  ['a missing proxy is a problem', { TRUST_PROXY: '' }, /^proxy: TRUST_PROXY is not set/],
  ['a proxy without an address is a problem', { TRUST_PROXY: 'true' }, /^proxy: TRUST_PROXY=true: /],
  ['missing mail is a problem', { SMTP_URL: '', MAIL_FROM: '' }, /^mail: Mail is off/],
  ['an open dashboard is a problem', { LATCHKEY_ADMIN_ADDRESSES: '' }, /^dashboard: /],
  ['metrics on this machine need no token', { METRICS_PORT: '9464' }, /^$/],
  [
    'metrics without a token on other addresses are a problem',
    { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' },
    /^metrics: METRICS_HOST is 0\.0\.0\.0: [^,]*$/,
  ],
  [
    'metrics with a token on other addresses have no problem',
    { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0', METRICS_TOKEN: 'a'.repeat(32) },
    /^$/,
  ],
  ['a laptop needs none of them', { ISSUER: 'http://localhost:3000', TRUST_PROXY: '', SMTP_URL: '' }, /^$/],
] as const)
  test(title, () => assert.match(problemsOf(changes).join(), expected))
