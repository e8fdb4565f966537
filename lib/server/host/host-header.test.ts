import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasOneHost } from './host-header.ts'

function ask(hosts: readonly string[]): boolean {
  const rawHeaders = hosts.flatMap((host, at) => [at === 0 ? 'Host' : 'hOST', host])
  return hasOneHost({ headers: hosts[0] === undefined ? {} : { host: hosts[0] }, rawHeaders })
}

describe('FW-07 a request names one host', () => {
  const table: ReadonlyArray<readonly [host: string, isFine: boolean]> = [
    ['localhost', true],
    ['localhost:3000', true],
    ['ID.example.org', true],
    ['127.0.0.1:80', true],
    ['[::1]:3000', true],
    ['under_score.example.org', true],
    ['', false],
    ['[', false],
    ['[]', false],
    ['[:::::]', false],
    ['[0::1]', false],
    ['127.1', false],
    ['1.2.3.999', false],
    ['user@evil.com', false],
    ['evil.com:99999', false],
    ['evil.com:', false],
    ['evil.com:80:80', false],
    ['a b', false],
    ['a,b', false],
    ['*', false],
    ['x/../y', false],
    ['x?y', false],
    ['x#y', false],
    ['x\\y', false],
    ['%00', false],
    ['\u00e4', false],
  ]
  for (const [host, isFine] of table) {
    test(JSON.stringify(host), () => assert.equal(ask([host]), isFine))
  }
  test('none', () => assert.equal(ask([]), false))
  test('two', () => assert.equal(ask(['localhost', 'evil.com']), false))
  test('the same one twice', () => assert.equal(ask(['localhost', 'localhost']), false))
})
