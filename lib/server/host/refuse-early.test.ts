import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type EarlyRefusal,
  pathOf,
  refuseOversized,
  refusePath,
  refuseTarget,
  targetOfPage,
} from './refuse-early.ts'

type Row = readonly [method: string, target: string, header: string, status: number | null]

/** Refuses the target and the path of a request as the listener does. */
function refuse([method, url, header]: Row): EarlyRefusal | null {
  const headers = { host: 'id.example.org', ...(header === '' ? {} : { [header]: 'x' }) }
  const rawHeaders = Object.entries(headers).flat()
  const path = pathOf(url)
  return (
    refuseTarget({ url, headers, rawHeaders }) ??
    refusePath({ method, url, headers }, path, path.endsWith('/submit'))
  )
}

const table: readonly Row[] = [
  ['GET', '/admin', '', null],
  ['HEAD', '/admin', '', null],
  ['POST', '/admin', '', 405],
  ['DELETE', '/admin/clients', '', 405],
  ['POST', '/login/submit', '', null],
  ['OPTIONS', '/logout/submit', '', null],
  ['POST', '/login/submit', 'next-action', 400],
  ['GET', '/', 'next-action', 400],
  ['GET', '/.env', '', 404],
  ['GET', '/a/.git/config', '', 404],
  ['GET', '/..%2f.env', '', 404],
  ['GET', '/x/%2e%2E/admin', '', 404],
  ['GET', '/x%2f%2e./admin', '', 404],
  ['GET', '/.well-known/change-password', '', null],
  ['GET', '/_next/image', '', 404],
  ['GET', '/_next/data/x.json', '', 404],
  ['GET', '/_next', '', 404],
  ['GET', '/_global-error', '', 404],
  ['GET', '/%5Fglobal-error', '', 404],
  ['GET', '/_not-found', '', 404],
  ['GET', '/_error', '', 404],
  ['GET', '/__nextjs_font/x', '', 404],
  ['GET', '/_next/static/x.js.map', '', 404],
  ['GET', '/_next/static/x.js', '', null],
  ['GET', '/admin/clients/%E0%A4%A', '', 400],
  ['GET', '/api/admin/clients/%', '', 400],
  ['GET', '/api/admin/clients/%25', '', null],
  ['GET', '/admin/clients/%00', '', 400],
  ['GET', '/api/admin/users/a%00b', '', 400],
  ['GET', '/admin/events?q=%00', '', 400],
  ['GET', '/admin/events?q=%2500', '', null],
]
for (const row of table) {
  const [method, target, header, status] = row
  test(`FW-04 WF-12 ${method} ${target} ${header} ${status === null ? 'passes' : `is ${status}`}`, () =>
    assert.equal(refuse(row)?.refused.status ?? null, status))
}

test('FW-04 a NUL in the query of an endpoint is left to the endpoint, which reports it by its own rules', () => {
  const url = '/connect/authorize?state=%00'
  assert.equal(refusePath({ method: 'GET', url, headers: {} }, '/connect/authorize', true), null)
})

const routerHeaders: ReadonlyArray<readonly [headers: Record<string, string>, isRefused: boolean]> = [
  [{}, false],
  [{ 'next-router-prefetch': '1' }, false],
  [{ 'next-router-prefetch': '2' }, true],
  [{ 'next-router-prefetch': '3' }, true],
  [{ 'next-router-state-tree': encodeURIComponent(JSON.stringify(['', {}])) }, false],
  [{ 'next-router-state-tree': 'garbage' }, true],
  [{ 'next-router-state-tree': encodeURIComponent(JSON.stringify([1])) }, true],
]
for (const [headers, isRefused] of routerHeaders) {
  test(`FW-04 a page with ${JSON.stringify(headers)} ${isRefused ? 'is a 400' : 'passes'}`, () => {
    const refused = refusePath({ method: 'GET', url: '/admin', headers }, '/admin', false)
    assert.equal(refused?.refused.status ?? null, isRefused ? 400 : null)
  })
}

test('AD-05 a page that shows a secret once is not drawn in advance', () => {
  const headers = { 'sec-purpose': 'prefetch' }
  const statusOf = (url: string) =>
    refusePath({ method: 'GET', url, headers }, pathOf(url), false)?.refused.status ?? null
  assert.equal(statusOf('/admin/clients/web?one_time_result=fls_1'), 400)
  assert.equal(statusOf('/admin/clients/web?done=clients.update'), null)
})

test('AD-05 the address of a page for HEAD lacks the handle of a secret that is shown once', () => {
  const url = '/admin/clients/web?show=all&one_time_result=fls_1&done=x'
  assert.equal(targetOfPage({ method: 'HEAD', url }), '/admin/clients/web?show=all&&done=x')
  assert.equal(targetOfPage({ method: 'GET', url }), url)
})

const heads: ReadonlyArray<readonly [part: string, head: (size: number) => Head, most: number]> = [
  ['characters in the address', size => ({ url: `/?${'a'.repeat(size - 2)}` }), 32_768],
  ['characters in the path', size => ({ url: `/${'a'.repeat(size - 1)}` }), 4096],
  ['parameters', size => ({ url: `/?${'&'.repeat(size - 1)}` }), 200],
  ['headers', size => ({ rawHeaders: Array.from({ length: 2 * size }, () => 'x') }), 100],
  ['characters in a header', size => ({ headers: { accept: 'a'.repeat(size) } }), 8190],
  ['characters of cookies', size => ({ headers: { cookie: 'a'.repeat(size) } }), 16_384],
  ['cookies', size => ({ headers: { cookie: ';'.repeat(size - 1) } }), 200],
]
type Head = Partial<Parameters<typeof refuseOversized>[0]>

for (const [part, head, most] of heads) {
  test(`a request with ${most} ${part} passes, and with one more is refused`, () => {
    const refused = (size: number) =>
      refuseOversized({ url: '/', headers: {}, rawHeaders: [], ...head(size) })
    assert.equal(refused(most), null)
    assert.notEqual(refused(most + 1), null)
  })
}

test('credentials may be as long as the longest token', () =>
  assert.equal(
    refuseOversized({ url: '/', headers: { authorization: `Bearer ${'a'.repeat(51_200)}` }, rawHeaders: [] }),
    null,
  ))
