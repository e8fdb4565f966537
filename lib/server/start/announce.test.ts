import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portWarning } from './announce.ts'

const local = { issuer: 'https://localhost', isLoopback: true, port: 3000, trustProxy: false }
const rows = [
  ['a loopback issuer with another port', local, 1],
  ['the same port', { ...local, issuer: 'http://localhost:3000' }, 0],
  ['another port behind a declared proxy', { ...local, trustProxy: true }, 0],
  ['a public issuer', { ...local, issuer: 'https://id.example', isLoopback: false }, 0],
] as const

for (const [title, config, count] of rows) {
  test(`warnings about the port at start: ${count} for ${title}`, () => {
    const warnings = portWarning(config)
    assert.equal(warnings.length, count)
    if (count === 1)
      assert.match(
        warnings[0] ?? '',
        /^ISSUER is https:\/\/localhost, but .* port 3000: they should match\.$/,
      )
  })
}
