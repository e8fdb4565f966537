import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isForPage } from './page-requests.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const rows: ReadonlyArray<readonly [method: string, accept: string | null, isPage: boolean]> = [
  ['GET', browser, true],
  ['HEAD', browser, true],
  ['POST', browser, true],
  ['GET', null, true],
  ['GET', '*/*', true],
  ['POST', null, false],
  ['POST', '*/*', false],
  ['DELETE', null, false],
  ['GET', 'application/json', false],
  ['GET', 'application/json, text/plain, */*', false],
  ['GET', 'Application/JSON; charset=utf-8', false],
  ['GET', 'text/html;q=0.5, application/json', false],
  ['GET', 'application/json;q=0.5, text/html', true],
  ['GET', 'application/json;q=0', true],
  ['POST', 'text/html;q=0, */*', false],
]

for (const [method, accept, isPage] of rows) {
  test(`${method} with Accept ${accept} gets ${isPage ? 'a page' : 'JSON'}`, () => {
    const headers = new Headers(accept === null ? {} : { accept })
    assert.equal(isForPage({ method, headers }), isPage)
  })
}
