/**
 * Lets Node load the `.tsx` files of `app` and `lib/pages`: as they were compiled at the preparation, or compiled now
 * where that is missing or older. For tests: `node --import ./lib/server/load-views.mjs --test`.
 */
import { readFileSync, statSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './start/bootstrap-stamps.mjs'

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context)
    return { format: 'module', shortCircuit: true, source: compiled(fileURLToPath(url)) }
  },
})

function compiled(file) {
  const prepared = join(root, '.latchkey/views', relative(root, file).replace(/tsx$/, 'js'))
  if (changedAt(prepared) > changedAt(file)) return readFileSync(prepared, 'utf8')
  const { transformSync } = createRequire(import.meta.url)('esbuild')
  const options = { loader: 'tsx', jsx: 'automatic', format: 'esm', target: 'esnext' }
  return transformSync(readFileSync(file, 'utf8'), options).code
}

/** 0 when there is no such file. */
function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
