/** Rules that are about the source itself: what must not be written anywhere. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../..')
const files = ['lib', 'app'].flatMap(folder => sources(join(root, folder)))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const holding = (pattern: RegExp, among = files) =>
  among.filter(file => pattern.test(withoutComments(read(file))))

test('CR-01 chance comes from the cryptographic source alone', () => {
  assert.deepEqual(holding(/Math\.random|pseudoRandomBytes/), [])
  const packages = JSON.parse(read('package.json'))
  for (const name of ['bcrypt', 'crypto-js', 'jsonwebtoken', 'node-forge', 'sjcl'])
    assert.equal(packages.dependencies[name], undefined)
})

test('CD-11 secrets are never compared with ===', () => {
  const compared =
    /\w*(?:[sS]ecret|[vV]erifier|[pP]assword(?!Hash)|challenge)\b\s*[!=]==\s*(?!null|undefined|true|false|''|"")[\w.]/
  // Two readings of the one value that was presented; what one person typed twice; two sealed texts.
  const harmless = [
    'lib/protocol/basic-credentials.ts',
    'lib/identity/password-choice.ts',
    'lib/admin/providers/write-provider.ts',
  ]
  const others = files.filter(file => !harmless.includes(file))
  assert.deepEqual(holding(compared, others), [])
})

test('WF-06 no HTML is made from strings in pages, and no address from data without a check', () => {
  assert.deepEqual(holding(/dangerouslySetInnerHTML|\.innerHTML\s*=|document\.write/), [])
})

test('WF-07 no address of ours carries another address to go on to', () => {
  assert.deepEqual(holding(/['"?&](?:returnUrl|return_url|return_to|redirect_to|next|continue)=/), [])
})

test('FW-02 every route handler stands behind the one wrapper', () => {
  const routes = files.filter(file => /^app\/.*\/route\.ts$/.test(file))
  assert.ok(routes.length >= 20, 'the routes were found')
  assert.deepEqual(
    routes.filter(file => !/\bendpoint\(/.test(read(file))),
    [],
  )
  assert.deepEqual(holding(/['"]use server['"]/), [], 'no server actions before sign-in')
})

test('FW-03 a forgotten value cannot widen a query', () => {
  for (const schema of ['prisma/schema.prisma', 'prisma/postgres/schema.prisma']) {
    assert.match(read(schema), /previewFeatures\s*=\s*\[[^\]]*"strictUndefinedChecks"/, schema)
  }
  assert.deepEqual(holding(/\$(?:query|execute)RawUnsafe/), [])
})

test('FW-05 the framework is at a release without known weaknesses', () => {
  const { packages } = JSON.parse(read('package-lock.json'))
  const [major = 0, minor = 0, patch = 0] = String(packages['node_modules/next'].version)
    .split('.')
    .map(Number)
  assert.ok(major > 16 || (major === 16 && (minor > 3 || (minor === 3 && patch >= 3))))
})

test('FW-06 the framework’s conveniences that open doors are off', () => {
  const config = read('next.config.mjs')
  assert.match(config, /poweredByHeader: false/)
  assert.doesNotMatch(config, /productionBrowserSourceMaps: true|rewrites|remotePatterns/)
})

test('only one file reads the environment', () => {
  // The scripts that run before anything is set up cannot import it; a snippet reads it in somebody else's app.
  const apart = /\.mjs$|^lib\/storage\/bench\/|^lib\/admin\/clients\/snippets\//
  const programs = files.filter(file => !apart.test(file))
  assert.deepEqual(holding(/process\.env\.(?!NODE_ENV)/, programs), [])
})

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      file => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.ts$|(^|\/)test-[a-z-]+\.ts$|\/testing\//.test(file),
    )
    .map(file => relative(root, join(folder, file)))
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
}
