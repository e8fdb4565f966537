/**
 * Makes Node load the `.tsx` files of `app` and `lib/pages`: as compiled at the preparation, or compiled now if they
 * have changed since. Changes are detected by content, because the files of a copied or checked-out tree have new
 * modification times.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashOf, root } from './start/bootstrap-stamps.mjs'

const views = join(root, '.latchkey/views')
const sources = join(views, 'sources.json')
const preparedFrom = existsSync(sources) ? JSON.parse(readFileSync(sources, 'utf8')) : {}

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context)
    return { format: 'module', shortCircuit: true, source: compiled(fileURLToPath(url)) }
  },
})

function compiled(path) {
  const file = relative(root, path)
  if (preparedFrom[file] === hashOf([file]))
    return readFileSync(join(views, file.replace(/tsx$/, 'js')), 'utf8')
  const { transformSync } = createRequire(import.meta.url)('esbuild')
  const options = { loader: 'tsx', jsx: 'automatic', format: 'esm', target: 'esnext' }
  return transformSync(readFileSync(path, 'utf8'), options).code
}
