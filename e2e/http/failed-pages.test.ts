/** Pages that cannot be drawn: words, the right status and a reference, with no script of the framework to draw them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testConfiguration } from '../fixtures/configuration.ts'
import { openDatabase } from '../fixtures/database.ts'
import { authorize, codeRequest, newProof } from '../fixtures/flow.ts'
import { freePort } from '../fixtures/free-port.ts'
import { type Answer, send, withQuery } from '../fixtures/http-client.ts'
import { newMasterKey, startLatchkey } from '../fixtures/latchkey.ts'
import { newPerson } from '../fixtures/person.ts'
import { app, latchkeySuite, sharedLatchkey } from '../fixtures/suite.ts'

const latchkey = sharedLatchkey()
const secure = latchkeySuite({
  environment: { ISSUER: 'https://id.example.org', MASTER_KEY: newMasterKey() },
})

test('LG-06 without its database a page says so, with 503 and Retry-After', async context => {
  const database = await openDatabase('postgresql')
  const configuration = testConfiguration({ app })
  const server = await startLatchkey({
    port: await freePort(),
    configuration,
    databaseUrl: database.url ?? '',
  })
  context.after(() => server.stop())
  const person = newPerson(server.issuer)
  await authorize(person, codeRequest(app, newProof()))
  const waiting = withQuery('/connect/authorize', codeRequest(app, newProof(), { prompt: 'login' }))
  const { target } = await person.follow(waiting)
  await database.close()
  for (const path of ['/account', target]) {
    const answer = await person.get(path)
    assert.equal(answer.status, 503, `${path} ${answer.text.slice(0, 200)}`)
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    assertReadable(answer)
  }
  assert.doesNotMatch(server.output(), /\n\s+at /)
})

test('CF-02 the playground of a public issuer is a page that says there is nothing', async () => {
  const answer = await send(secure.server.origin, '/playground')
  assert.equal(answer.status, 404)
  assertReadable(answer)
})

describe('UXC-24 no page carries a script but ours', () => {
  for (const path of [
    '/',
    '/login',
    '/login/providers',
    '/logout/done',
    '/playground',
    '/nowhere',
    '/nowhere.css',
  ]) {
    test(path, async () => {
      const answer = await send(latchkey.issuer, path, { headers: { 'accept-encoding': 'gzip' } })
      assert.doesNotMatch(answer.text, /_next\/[^"]*\.js|__next_f/)
      assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.text)))
      assert.ok(answer.text.length < 12_000, `${answer.text.length}`)
    })
  }
})

describe('FW-01 the framework’s own format of a page cannot be asked for', () => {
  for (const path of ['/login', '/account', '/login?_rsc=x', '/account?_rsc=x']) {
    test(path, async () => {
      const headers = {
        rsc: '1',
        'next-router-state-tree': '%5B%5D',
        'next-router-segment-prefetch': '/_tree',
      }
      const [plain, asked] = [
        await send(latchkey.issuer, path),
        await send(latchkey.issuer, path, { headers }),
      ]
      assert.equal(asked.status, plain.status)
      assert.doesNotMatch(String(asked.headers['content-type']), /x-component/)
      assert.doesNotMatch(String(asked.headers.location), /_rsc/)
    })
  }
})

function assertReadable({ text, headers }: Answer): void {
  const reference = String(headers['x-reference-id'])
  assert.match(reference, /^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
  assert.ok(text.includes(reference), text.slice(0, 500))
  assert.match(text, /<h1>[^<]+<\/h1>/)
  assert.doesNotMatch(text, /<script|prisma|P1001/i)
}
