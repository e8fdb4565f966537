import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { localPath } from './local-paths.ts'

describe('WF-07 local paths', () => {
  const table: ReadonlyArray<readonly [path: string | null, expected: string]> = [
    ['/login?pending=x', '/login?pending=x'],
    ['/', '/'],
    ['//evil.test', '/home'],
    ['/\\evil.test', '/home'],
    ['https://evil.test', '/home'],
    ['javascript:alert(1)', '/home'],
    ['login', '/home'],
    ['/a\\b', '/home'],
    ['/\u0009/evil.test', '/home'],
    ['/a\r\nSet-Cookie: x', '/home'],
    ['/a/..//evil.test', '/home'],
    ['/./../a', '/a'],
    ['', '/home'],
    [null, '/home'],
  ]
  for (const [path, expected] of table) {
    test(`WF-07 ${JSON.stringify(path)} becomes ${expected}`, () =>
      assert.equal(localPath(path, '/home'), expected))
  }
})
