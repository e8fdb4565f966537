/** Tests the presets in *New client*: an application and its address fill in the form, and the setup page shows its settings. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Api, Staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'

/** The documented client of each application, by its ID. */
const guides = new URL('../../docs/applications/', import.meta.url)
const documented = readdirSync(guides)
  .filter(file => file !== 'README.md')
  .map(file => {
    const [, client = ''] = /```json\n([\s\S]*?)```/.exec(readFileSync(new URL(file, guides), 'utf8')) ?? []
    return { id: file.replace('.md', ''), client: JSON.parse(client) }
  })

let all: Staff
let api: Api
const latchkey = sharedStaff(opened => {
  all = opened.all
  api = opened.apis.owner
})

const start = '/admin/clients/new'
const pageOf = async (query: Readonly<Record<string, string>>) => {
  const { text, status } = await all.owner.get(`${start}?${new URLSearchParams(query)}`)
  assert.equal(status, 200)
  return text
}

/** The fields that a browser without script would send of the form, in their order. */
function fieldsOf(html: string): Array<readonly [string, string]> {
  const form = /<form[^>]*action="\/admin\/do\/clients\.create"[\s\S]*?<\/form>/.exec(html)?.[0] ?? ''
  const controls = form.matchAll(
    /<input[^>]*>|<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)<\/textarea>|<select[^>]*name="([^"]*)"[\s\S]*?<\/select>/g,
  )
  return [...controls].flatMap(([tag, area, text = '', select]) => {
    if (area !== undefined) return [[area, unescaped(text)] as const]
    if (select !== undefined) {
      const chosen = /<option[^>]*selected[^>]*value="([^"]*)"|<option[^>]*value="([^"]*)"[^>]*selected/.exec(
        tag,
      )
      return [[select, chosen?.[1] ?? chosen?.[2] ?? ''] as const]
    }
    const name = attributeOf(tag, 'name')
    const isOff = /type="(?:checkbox|radio)"/.test(tag) && !/\bchecked\b/.test(tag)
    return name === '' || name.startsWith('_') || isOff
      ? []
      : [[name, unescaped(attributeOf(tag, 'value'))] as const]
  })
}

function attributeOf(tag: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
}

function unescaped(text: string): string {
  return text
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Creates a client with the form as the page fills it in, and returns the setup page and the stored document. */
async function createWith(id: string, address: string) {
  const query: Readonly<Record<string, string>> = { application: id, ...(address === '' ? {} : { address }) }
  const fields = fieldsOf(await pageOf(query))
  const next = `/admin/clients/{client_id}/setup?application=${id}`
  const visit = await all.owner.submit('clients.create', [...fields, ['_next', next]], start)
  const clientId = decodeURIComponent(/clients\/([^/]+)\/setup/.exec(visit.target)?.[1] ?? '')
  const read = (await api.call('GET', `/clients/${clientId}`)).json()
  return { visit, clientId, metadata: Object(read.metadata) }
}

describe('New client', () => {
  test('lists all applications, and finds one by the beginning of its name', async () => {
    const page = await pageOf({})
    for (const { id } of documented) assert.ok(page.includes(`application=${id}"`), id)
    const found = await pageOf({ q: 'pgad' })
    assert.ok(found.includes('application=pgadmin"'))
    assert.ok(!found.includes('application=directus"'))
    assert.match(await pageOf({ q: 'no such thing' }), /No application has this name/)
  })

  test('asks for the address of the application, and refuses one that cannot be registered', async () => {
    assert.match(await pageOf({ application: 'pgadmin' }), /Where does pgAdmin 4 run\?/)
    for (const address of [
      'pg.example.com',
      'http://pg.example.com',
      "https://pg.example.com/'+x+'",
      '"><script>',
    ])
      assert.match(await pageOf({ application: 'pgadmin', address }), /id="address-error"/, address)
  })

  test('shows each setting of the preset before the client is created', async () => {
    const address = 'https://pg.example.com/tools'
    const fields = new Map(fieldsOf(await pageOf({ application: 'pgadmin', address })))
    assert.equal(fields.get('client_name'), 'pgAdmin 4')
    assert.equal(fields.get('redirect_uris'), `${address}/oauth2/authorize`)
    assert.equal(fields.get('post_logout_redirect_uris'), `${address}/`)
    assert.equal(fields.get('pkce'), 'required-s256')
    assert.equal(fields.get('always_include_user_claims_in_id_token'), 'true')
    assert.ok(fields.has('access_token_format'))
  })

  test('creates the client with the filled-in form, and shows the settings of the application with the secret', async () => {
    const { visit, clientId, metadata } = await createWith('pgadmin', 'https://pg.example.com/')
    assert.deepEqual(metadata.redirect_uris, ['https://pg.example.com/oauth2/authorize'])
    assert.equal(metadata.scope, 'openid profile email')
    assert.equal(metadata.always_include_user_claims_in_id_token, true)
    assert.deepEqual(metadata.grant_types, ['authorization_code'])
    assert.match(visit.answer.text, /id="secret-once"/)
    const text = unescaped(visit.answer.text)
    assert.ok(text.includes(`'OAUTH2_CLIENT_ID': '${clientId}'`))
    assert.ok(text.includes("'OAUTH2_CLIENT_SECRET': 'CLIENT_SECRET'"))
    assert.ok(text.includes(`${latchkey.issuer}/connect/token`))
    const later = unescaped((await all.owner.get(`/admin/clients/${clientId}/setup`)).text)
    assert.ok(later.includes('Settings of pgAdmin 4'), 'its name and its redirect URI are enough')
    assert.doesNotMatch(later, /id="secret-once"/)
  })

  test('creates a client for every application from its form', async () => {
    for (const { id, client } of documented) {
      const { visit, metadata } = await createWith(id, 'https://app.example.com')
      assert.match(visit.answer.text, /id="application"/, id)
      assert.equal(metadata.scope, client.scope, id)
      assert.equal(metadata.redirect_uris.length, client.redirect_uris.length, id)
    }
  })

  test('keeps a client ID with special characters out of the settings', async () => {
    const hostile = `a' + evil() + '"; $(id) #`
    const body = {
      kind: 'web',
      metadata: {
        client_id: hostile,
        client_name: 'pgAdmin 4 for evil',
        redirect_uris: ['https://evil.example/oauth2/authorize'],
      },
    }
    assert.equal((await api.call('POST', '/clients', { body })).status, 201)
    const path = `/admin/clients/${encodeURIComponent(hostile)}/setup`
    const text = unescaped((await all.owner.get(path)).text)
    assert.ok(text.includes("'OAUTH2_CLIENT_ID': 'CLIENT_ID'"))
  })
})
