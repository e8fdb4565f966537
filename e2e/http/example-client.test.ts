/** Runs the example of the documentation against the demo, as its reader does. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { demoLatchkey } from '../fixtures/server/suite.ts'

const home = 'http://localhost:8765'
const latchkey = demoLatchkey()

test('examples/clients/web-app.mjs signs a user in, shows the name and signs the user out', async t => {
  const app = spawn(process.execPath, ['examples/clients/web-app.mjs', latchkey.issuer], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => app.kill())
  await once(app.stdout, 'data')
  const visitor = newBrowser(home)
  const browser = newBrowser(latchkey.issuer)

  const departure = (await visitor.get('/login')).headers.location ?? ''
  const login = await browser.follow(departure.slice(latchkey.issuer.length))
  const consent = await browser.submit(login, { username: 'alice', password: 'wonderland-tea-party' })
  const back = await browser.submit(consent, [
    ['scope', 'openid'],
    ['scope', 'profile'],
    ['decision', 'allow'],
  ])
  assert.equal(back.location?.origin, home)
  const arrival = await visitor.follow(`${back.location?.pathname}${back.location?.search}`)
  assert.match(arrival.answer.text, /<h1>Hello Alice Pleasance Liddell<\/h1>/)

  const signOut = (await visitor.get('/logout')).headers.location ?? ''
  const away = await browser.follow(signOut.slice(latchkey.issuer.length))
  assert.equal(away.location?.href, `${home}/`)
  assert.match((await visitor.get('/')).text, /Sign in/)
})

test('examples/clients/web-app.mjs reports an unreachable server in one sentence', async () => {
  const issuer = `http://localhost:${await freePort()}`
  const app = spawn(process.execPath, ['examples/clients/web-app.mjs', issuer], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  app.stderr.on('data', text => {
    said += text
  })
  const [code] = await once(app, 'close')
  assert.equal(code, 1)
  assert.match(said, new RegExp(`^No Latchkey answers at ${issuer} \\(fetch failed\\); start it first\\.\n$`))
})
