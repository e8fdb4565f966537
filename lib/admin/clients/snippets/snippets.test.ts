import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientKinds } from '#lib/protocol/registration/client.ts'
import { literal, shellWord } from './snippet.ts'
import { snippetsFor } from './snippets.ts'

const values = {
  issuer: 'https://id.example',
  clientId: 'app',
  kind: 'web',
  hasSecret: true,
  redirectUri: 'https://app.example/callback',
  scopes: ['openid', 'profile'],
} as const

test('every kind of client has setup code', () => {
  for (const kind of clientKinds) assert.ok(snippetsFor({ ...values, kind }).length > 0, kind)
})

test('the setup code of a web app contains its values, for each framework', () => {
  const snippets = snippetsFor(values)
  const ids = snippets.map(({ id }) => id)
  assert.deepEqual(ids, ['next', 'next-authjs', 'express', 'aspnet', 'spring', 'python', 'go', 'curl'])
  for (const { id, files } of snippets) {
    const all = files.map(({ content }) => content).join('\n')
    assert.ok(all.includes('https://id.example'), id)
    assert.ok(all.includes('app'), id)
  }
})

test('AD-05 snippets contain a placeholder in place of the secret', () => {
  for (const { id, files } of snippetsFor(values)) {
    const all = files.map(({ content }) => content).join('\n')
    assert.match(all, /LATCHKEY_CLIENT_SECRET|Latchkey:ClientSecret/, id)
  }
})

test('a hostile client id stays a value in every language', () => {
  const hostile = `a" + evil() + '$(touch x)\`\${y}\\`
  for (const { id, files } of snippetsFor({ ...values, clientId: hostile })) {
    for (const { path, content } of files) {
      if (path.endsWith('.sh')) assert.ok(!content.includes(`"${hostile}`), `${id} ${path}`)
      else if (!/\.(env.*|properties)$/.test(path)) assert.ok(!content.includes(hostile), `${id} ${path}`)
    }
  }
})

test('values quoted for a shell or a language are read back unchanged', () => {
  const text = `it's "$HOME" \\ \n`
  assert.equal(JSON.parse(literal(text)), text)
  assert.equal(shellWord("it's"), `'it'\\''s'`)
})

test('the setup of a Next.js app starts it at the address of its redirect URI', () => {
  const start = (redirectUri: string) =>
    snippetsFor({ ...values, redirectUri })
      .filter(({ id }) => id.startsWith('next'))
      .map(({ steps }) => steps.some(step => step === 'npx next dev --port 4000'))
  assert.deepEqual(start('http://localhost:4000/callback'), [true, true])
  assert.deepEqual(start('http://localhost:3000/callback'), [false, false])
})
