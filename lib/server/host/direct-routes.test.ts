import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanPath, directRoutes, endOfTurn } from './direct-routes.ts'
import { refusePath } from './refuse-early.ts'

const routes = directRoutes()
const examples = { '[scheme]': 'acme', '[id]': 'x', '[name]': 'clients.update', '[...path]': 'clients/x' }

describe('AZ-23 every route file is served without Next, every page of the dashboard by Next', () => {
  const app = join(import.meta.dirname, '../../../app')
  for (const file of readdirSync(app, { recursive: true, encoding: 'utf8' })) {
    const [, folder = '', kind] = /^(.*\/|)(route|page)\.tsx?$/.exec(file) ?? []
    if (kind === undefined || file.includes('[...rest]')) continue
    const path = Object.entries(examples)
      .reduce((text, [segment, example]) => text.replaceAll(segment, example), `/${folder}`)
      .replace(/\(\w+\)\//, '')
      .replace(/(?<=.)\/$/, '')
    test(path, () => {
      const hasRoute = routes.get(path) !== undefined
      assert.equal(hasRoute, kind === 'route')
      const refusal = refusePath({ method: 'POST', url: path, headers: {} }, path, hasRoute)
      assert.equal(refusal?.refused.status ?? null, kind === 'route' ? null : 405)
    })
  }
})

describe('an address outside the dashboard is answered without Next', () => {
  const table: ReadonlyArray<readonly [path: string, isNext: boolean]> = [
    ['/nowhere', false],
    ['/login/nowhere', false],
    ['/administrator', false],
    ['/admin/nowhere', true],
    ['/_next/static/x.js', false],
    ['/favicon.svg', false],
    ['/favicon.svgz', false],
  ]
  for (const [path, isNext] of table) {
    test(path, () => assert.equal(routes.get(path) === undefined, isNext))
  }
})

test('a fixed segment is found before a dynamic one', () => {
  assert.notEqual(routes.get('/connect/token'), routes.get('/connect/nowhere'))
  assert.notEqual(routes.get('/login/external/acme/start'), routes.get('/login/external/acme/nowhere'))
})

test('an endpoint in another letter case is an unknown address', () => {
  assert.equal(routes.get('/connect/Token'), routes.get('/connect/nowhere'))
  for (const path of ['/Connect/token', '/.well-known/OpenID-Configuration'])
    assert.equal(routes.get(path), routes.get('/nowhere'), path)
})

describe('a path with empty segments or a slash at the end has no route and a normal form', () => {
  const table = [
    ['/', '/'],
    ['/login', '/login'],
    ['/login/', '/login'],
    ['/login///', '/login'],
    ['/connect//token', '/connect/token'],
    ['/admin/', '/admin'],
    ['/favicon.svg/', '/favicon.svg'],
    // Encoded slashes are part of a segment
    ['/a%2f/', '/a%2f'],
  ] as const
  for (const [path, clean] of table) {
    test(path, () => {
      assert.equal(cleanPath(path), clean)
      if (path !== clean) assert.equal(routes.get(path), undefined)
    })
  }
})

test('responses of one turn of the event loop are sent after the last of its requests', async () => {
  const order: string[] = []
  const respond = async (name: string) => {
    const end = endOfTurn()
    order.push(`${name} handled`)
    await end
    order.push(`${name} sent`)
  }
  const first = respond('first')
  await Promise.resolve()
  await Promise.all([first, respond('second')])
  await respond('third')
  const together = ['first handled', 'second handled', 'first sent', 'second sent']
  assert.deepEqual(order, [...together, 'third handled', 'third sent'])
})
