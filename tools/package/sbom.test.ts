/** Tests the list of parts of a package. */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { billOfMaterials, systemComponents } from './sbom.mjs'

const root = resolve(import.meta.dirname, '../..')
const control =
  'Package: libgcc-s1\nSource: gcc-12 (12.2.0-14)\nVersion: 12.2.0-14+deb12u1\nArchitecture: amd64\n'

const billSchema = z.looseObject({
  metadata: z.looseObject({ timestamp: z.string(), component: z.looseObject({ name: z.string() }) }),
  components: z.array(
    z.looseObject({
      name: z.string(),
      version: z.string(),
      purl: z.string(),
      properties: z.array(z.unknown()).optional(),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

async function billOf(files: readonly string[]) {
  const systemParts = systemComponents([control])
  return billSchema.parse(await billOfMaterials({ root, files, systemParts, seconds: 1_700_000_000 }))
}

test('the list of parts has each package of which a file ships, and no other', async () => {
  const { components, dependencies } = await billOf([
    'lib/server/main.ts',
    'node_modules/next/dist/server/next.js',
    'node_modules/next/package.json',
    'node_modules/@prisma/get-platform/node_modules/@prisma/debug/index.js',
    '.next/node_modules/zod-dcb22c6336e0bc69',
  ])
  const packages = components.filter(({ purl }) => purl.startsWith('pkg:npm/')).map(({ name }) => name)
  // The last one is a part of the script for passkeys
  assert.deepEqual(packages.sort(), ['@prisma/debug', '@simplewebauthn/browser', 'next'])
  const isBundled = components.flatMap(({ name, properties }) => (properties?.length ? [name] : []))
  assert.deepEqual(isBundled, ['@simplewebauthn/browser'])
  const refs = dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
  assert.deepEqual(
    new Set(refs.map(ref => ref.replace(/(?!^)@.*/, ''))),
    new Set(['latchkey', '@prisma/debug', '@simplewebauthn/browser', 'next']),
  )
})

test('the list of parts has Node and the packages of the system, as scanners name them', async () => {
  const { components } = await billOf([])
  const others = components.filter(({ purl }) => !purl.startsWith('pkg:npm/'))
  const { node } = process.versions
  assert.equal(others[0]?.purl, `pkg:generic/node@${node}`)
  assert.equal(others[0]?.cpe, `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`)
  assert.match(
    others[1]?.purl ?? '',
    /^pkg:deb\/[a-z]+\/libgcc-s1@12\.2\.0-14%2Bdeb12u1\?arch=amd64&distro=[a-z]+-[\d.]+&upstream=gcc-12$/,
  )
})

test('two lists of the same parts are equal', async () => {
  const [first, second] = [await billOf(['node_modules/jose/a.js']), await billOf(['node_modules/jose/a.js'])]
  assert.deepEqual(first, second)
  assert.equal(first.metadata.timestamp, '2023-11-14T22:13:20.000Z')
  assert.equal(first.metadata.component.name, 'latchkey')
})

test('the list of parts refuses a package that the lock file does not name', async () => {
  await assert.rejects(
    billOf(['node_modules/left-by-hand/index.js']),
    /left-by-hand is not in package-lock.json/,
  )
})
