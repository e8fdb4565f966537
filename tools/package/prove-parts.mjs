/** Compares the list of parts of a package with its files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { billPlace, bundled } from './sbom.mjs'

/** Returns the packages of npm that are only in the list, or only in the file system. */
export function differingParts(folder) {
  const { components } = JSON.parse(readFileSync(join(folder, billPlace), 'utf8'))
  const listed = components
    .filter(({ purl }) => purl.startsWith('pkg:npm/'))
    .filter(({ properties }) => properties.every(({ name }) => name !== bundled.name))
    .map(({ name, version }) => `${name}@${version}`)
  const found = packagesIn(join(folder, 'app/node_modules'))
  const missing = found.filter(name => !listed.includes(name)).map(name => `${name} is not in the list`)
  const extra = listed.filter(name => !found.includes(name)).map(name => `${name} is only in the list`)
  return [...missing, ...extra]
}

/** Returns `name@version` of each package in a folder `node_modules`, and of those inside of them. */
function packagesIn(folder) {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).flatMap(name =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map(part => `${name}/${part}`) : [name],
  )
  return names.flatMap(place => {
    const { name, version } = JSON.parse(readFileSync(join(folder, place, 'package.json'), 'utf8'))
    return [`${name}@${version}`, ...packagesIn(join(folder, place, 'node_modules'))]
  })
}
