import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMailAddress } from './mail-address.ts'

for (const address of [
  'alice@example.org',
  "o'brien+news@mail.example.co.uk",
  'a@b',
  `${'a'.repeat(64)}@example.org`,
])
  test(`${address.slice(0, 40)} is an address`, () => assert.equal(isMailAddress(address), true))

for (const [what, address] of [
  ['two addresses', 'a@example.org,b@example.org'],
  ['a list with spaces', 'a@example.org b@example.org'],
  ['a name', 'Alice <alice@example.org>'],
  ['a line break', 'a@example.org\r\nBcc: b@example.org'],
  ['a line break at the end', 'a@example.org\n'],
  ['two signs', 'a@b@example.org'],
  ['a full-width sign', 'a＠example.org'],
  ['quotes', '"a b"@example.org'],
  ['an address in brackets', 'a@[127.0.0.1]'],
  ['no domain', 'a@'],
  ['an empty part', 'a..b@example.org'],
  ['an empty label', 'a@example..org'],
  ['a long local part', `${'a'.repeat(65)}@example.org`],
  ['a route with a percent sign', 'a%evil.example@example.org'],
  ['a route with an exclamation mark', 'evil!a@example.org'],
  ['an encoded word', '=?us-ascii?q?a?=@example.org'],
  ['an option of a command', '-oQ/tmp@example.org'],
  ['a number as the domain', 'a@1'],
  ['an IP address', 'a@127.0.0.1'],
  ['an empty text', ''],
] as const)
  test(`${what} is not an address`, () => assert.equal(isMailAddress(address), false))
