import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './device-name.ts'

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const table: ReadonlyArray<readonly [string | null, string | null, string | null]> = [
  [chrome, 'Chrome', 'Linux'],
  [`${chrome} Edg/140.0.0.0`, 'Edge', 'Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari',
    'Mac',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Windows'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', 'Firefox', 'Android'],
  ['curl/8.9.1', 'curl', null],
  ['<script>alert(1)</script>', null, null],
  ['', null, null],
  [null, null, null],
]

for (const [userAgent, browser, system] of table) {
  test(`a session names its device: ${browser} on ${system}`, () => {
    assert.deepEqual(deviceOf(userAgent), { browser, system })
  })
}
