import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { configurationFileSchema } from '../configuration-file.ts'
import { type Application, placeholders } from './application.ts'
import { applications, findApplication } from './applications.ts'
import { applicationsWith, clientOf, fillIn, readAddress } from './fill-in.ts'

const addresses = ['https://app.example.com', 'https://app.example.com/sub/path', 'http://localhost:8080']

/** The problems of a configuration file with the client of this application. */
function problemsOf(application: Application, app: string | null): readonly string[] {
  const { kind } = application
  const client = {
    ...clientOf(application, app),
    client_id: application.id,
    ...(kind === 'web' || kind === 'machine' ? { client_secret: 'correct horse battery' } : {}),
  }
  const read = configurationFileSchema.safeParse({ clients: [client] })
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
}

for (const application of applications) {
  describe(`The entry of ${application.name}`, () => {
    test('gives a client that the rules for registration accept, at every address', () => {
      const given = application.addressExample === null ? [null] : [...addresses, application.addressExample]
      for (const app of given) assert.deepEqual(problemsOf(application, app), [], String(app))
    })
    test('has only known placeholders, and an address only if it needs one', () => {
      const names = [...JSON.stringify(application).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
      for (const name of names) assert.ok(Object.hasOwn(placeholders, name ?? ''), name)
      const inClient = JSON.stringify(application.client).includes('{{app')
      assert.equal(inClient, application.addressExample !== null)
    })
    test('is found by the redirect URIs of its client', () => {
      const app = application.addressExample === null ? null : 'https://app.example.com/sub'
      const { redirect_uris: uris = [] } = clientOf(application, app)
      const found = applicationsWith(applications, uris)
      assert.ok(found.some(one => one.application === application && one.app === app))
    })
    test('has sentences that end, and an address of its documents', () => {
      const { steps, signOut, limits, documents } = application
      for (const sentence of [...steps, signOut, ...limits]) assert.match(sentence, /^[A-Z`].*[.:]$/)
      assert.equal(new URL(documents).protocol, 'https:')
    })
    test('names in its settings the issuer and the client ID', () => {
      const all = [...application.files.map(({ content }) => content), ...application.steps].join('\n')
      assert.match(all, /\{\{issuer/)
      assert.match(all, /\{\{client_id\}\}/)
    })
  })
}

test('every application has one ID, which is a part of addresses', () => {
  const ids = applications.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  assert.equal(findApplication('unknown'), null)
  assert.equal(findApplication(undefined), null)
  assert.equal(findApplication('pgadmin')?.name, 'pgAdmin 4')
})

const pgAdmin = findApplication('pgadmin')
if (pgAdmin === null) throw new Error('The entry of pgAdmin is missing')

for (const [typed, app] of [
  ['https://pg.example.com', 'https://pg.example.com'],
  [' https://PG.example.com:443/ ', 'https://pg.example.com'],
  ['https://pg.example.com/tools/pg//', 'https://pg.example.com/tools/pg'],
  ['https://pg.example.com/pg/oauth2/authorize', 'https://pg.example.com/pg'],
  ['http://127.0.0.1:5050', 'http://127.0.0.1:5050'],
  ['http://[::1]:5050/', 'http://[::1]:5050'],
] as const) {
  test(`reads the address of an application from "${typed}"`, () => {
    assert.deepEqual(readAddress(typed, pgAdmin), { kind: 'ok', app })
  })
}

for (const [typed, problem] of [
  ['', /absolute URI/],
  ['pg.example.com', /lacks "https:\/\/"/],
  ['http://pg.example.com', /must use https/],
  ['https://pg.example.com/?a=1', /query/],
  ['https://pg.example.com/#a', /fragment/],
  ['https://admin:secret@pg.example.com', /user name or password/],
  ['javascript:alert(1)', /scheme/],
  ['com.example.app:/callback', /private scheme/],
  ["https://pg.example.com/'+evil()+'", /may contain only/],
  ['https://pg.example.com/$(touch x)', /visible|several|only/],
  ['https://pg.example.com/a;id', /may contain only/],
  ['https://pg.example.com/"><script>', /may contain only/],
  ['https://pg.example.com/a\nevil: true', /several|visible/],
  ['https://pg.example.com//other', /may contain only/],
  [`https://pg.example.com/${'a'.repeat(2000)}`, /longer/],
] as const) {
  test(`refuses the address "${typed.slice(0, 60)}" of an application`, () => {
    const read = readAddress(typed, pgAdmin)
    assert.ok(read.kind === 'refused')
    assert.match(read.problem, problem)
  })
}

test('a client ID with special characters is not inserted in settings', () => {
  const values = { issuer: 'https://id.example.com:8443', app: null }
  const template = '{{client_id}} {{issuer}} {{issuer_host}} {{app}} {{client_secret}} {{unknown}} {id_token}'
  const rest = 'https://id.example.com:8443 id.example.com:8443 APP CLIENT_SECRET {{unknown}} {id_token}'
  assert.equal(fillIn(template, { ...values, clientId: 'pg-1' }), `pg-1 ${rest}`)
  for (const clientId of ["a' + evil()", '"; id #', '$(id)', '`id`', 'a b', '{{client_secret}}', 'a\\'])
    assert.equal(fillIn(template, { ...values, clientId }), `CLIENT_ID ${rest}`)
})
