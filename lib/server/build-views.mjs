/** Compiles the components of `app` and `lib/pages`, and the assets of the hosted pages, into `.latchkey/views`. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { hashOf, root } from './start/bootstrap-stamps.mjs'

const folder = join(root, '.latchkey/views')
const components = ['app', 'lib/pages'].flatMap(place =>
  readdirSync(join(root, place), { recursive: true })
    .filter(name => name.endsWith('.tsx'))
    .map(name => join(place, name)),
)
const shared = { absWorkingDir: root, logLevel: 'warning' }
const browsers = ['chrome123', 'firefox121', 'safari17.5']

rmSync(folder, { recursive: true, force: true })
await Promise.all([
  build({
    ...shared,
    entryPoints: components,
    outbase: '.',
    outdir: folder,
    jsx: 'automatic',
    format: 'esm',
    target: 'esnext',
  }),
  build({
    ...shared,
    entryPoints: ['app/styles/hosted.css'],
    outfile: join(folder, 'hosted.css'),
    bundle: true,
    minify: true,
    target: browsers,
  }),
  build({
    ...shared,
    entryPoints: ['app/scripts/passkeys.ts', 'app/scripts/new-password.ts'],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    legalComments: 'none',
    target: browsers,
  }),
])

const sources = Object.fromEntries(components.map(file => [file, hashOf([file])]))
writeFileSync(join(folder, 'sources.json'), JSON.stringify(sources))
