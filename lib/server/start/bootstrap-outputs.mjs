/** Whether what the steps of the start made is still there. Asked at every start, so it opens three small files. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap-stamps.mjs'

/** Every package that the server needs: one that is gone would end the start deep inside another. */
export function hasDependencies(folder = root) {
  const { dependencies } = readJson(folder, 'package.json')
  const packages = Object.keys(dependencies).map(name => `node_modules/${name}/package.json`)
  return areThere(folder, ['node_modules/.package-lock.json', ...packages])
}

export function hasClients(folder = root) {
  const files = ['client.ts', 'models.ts', 'internal/class.ts']
  return ['sqlite', 'postgres'].every(kind => areThere(join(folder, 'prisma/generated', kind), files))
}

/** By Next's own lists: what its server reads, each page, and what every page sends to the browser. */
export function hasPages(folder = root) {
  const build = join(folder, '.next')
  if (!areThere(build, lists)) return false
  try {
    const [{ files }, pages, { polyfillFiles, rootMainFiles, lowPriorityFiles }] = lists.map(list =>
      readJson(build, list),
    )
    return (
      areThere(folder, files) &&
      areThere(join(build, 'server'), Object.values(pages)) &&
      areThere(build, [...polyfillFiles, ...rootMainFiles, ...lowPriorityFiles])
    )
  } catch {
    // A list that cannot be read is as good as none
    return false
  }
}

const lists = ['required-server-files.json', 'server/app-paths-manifest.json', 'build-manifest.json']

function readJson(folder, file) {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'))
}

function areThere(folder, files) {
  return files.every(file => existsSync(join(folder, file)))
}
