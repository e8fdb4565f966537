/** Runs an Express application with Auth.js. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { applicationSuite, startProgram, user } from '../fixtures/applications/application.ts'
import { newVisitor } from '../fixtures/applications/visitor.ts'
import { fetchSoftware, type Software } from '../fixtures/outside/outside-software.ts'

const software: Software = {
  registry: 'npm',
  name: '@auth/express',
  version: '0.12.3',
  packages: ['express@4.22.1'],
}
const app = await applicationSuite(address => ({
  redirect_uris: [`${address}/auth/callback/latchkey`],
  grant_types: ['authorization_code'],
  scope: 'openid profile email groups',
  always_include_user_claims_in_id_token: true,
}))

test('Auth.js signs a user in, has the name, email address and groups, and signs the user out of the application', async t => {
  const fetched = await fetchSoftware(software)
  if ('missing' in fetched) return t.skip(fetched.missing)
  const file = join(fetched.folder, 'application.mjs')
  await writeFile(file, program)
  const environment = {
    AUTH_SECRET: 'a secret that only this application knows',
    AUTH_TRUST_HOST: 'true',
    AUTH_LATCHKEY_ISSUER: app.issuer,
    AUTH_LATCHKEY_ID: app.clientId,
    AUTH_LATCHKEY_SECRET: app.clientSecret,
    PORT: app.port,
  }
  await startProgram(t, { command: process.execPath, given: [file], environment, address: app.address })
  const visitor = newVisitor(app.issuer)
  const choice = await visitor.open(`${app.address}/auth/signin`)
  const arrival = await visitor.signIn(await visitor.submit(choice, {}))
  assert.equal(arrival.address.origin, app.address)
  const session = (await visitor.open(`${app.address}/`)).answer.json()
  assert.deepEqual(session.user, { name: user.name, email: user.email, groups: user.groups })
  await visitor.submit(await visitor.open(`${app.address}/auth/signout`), {})
  assert.equal((await visitor.open(`${app.address}/`)).answer.json(), null)
})

const program = `
import { ExpressAuth, getSession } from '@auth/express'
import express from 'express'

const { AUTH_LATCHKEY_ISSUER: issuer, AUTH_LATCHKEY_ID: clientId, AUTH_LATCHKEY_SECRET: clientSecret, PORT } = process.env
const latchkey = {
  id: 'latchkey',
  name: 'Latchkey',
  type: 'oidc',
  issuer,
  clientId,
  clientSecret,
  authorization: { params: { scope: 'openid profile email groups' } },
}
const settings = {
  providers: [latchkey],
  callbacks: {
    jwt: ({ token, profile }) => (profile ? { ...token, groups: profile.groups } : token),
    session: ({ session, token }) => ({ ...session, user: { name: token.name, email: token.email, groups: token.groups } }),
  },
}
const app = express()
app.use('/auth/*', ExpressAuth(settings))
app.get('/', async (request, response) => response.json(await getSession(request, settings)))
app.listen(Number(PORT), '127.0.0.1')
`
