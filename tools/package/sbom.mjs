/** Lists what a package contains, in the format CycloneDX: packages of npm and Debian, and Node. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** The place of the list in the root file system. */
export const billPlace = 'usr/share/doc/latchkey/sbom.cdx.json'

/** The mark of a package that is only a part of a script, so that it has no separate files. */
export const bundled = { name: 'latchkey:bundled', value: 'true' }

/**
 * Returns the list of parts.
 *
 * @param root the folder of the clone.
 * @param files the paths of the app's files, relative to `root`.
 * @param systemParts the components of `systemComponents`.
 * @param seconds the time that the list names, since the epoch.
 * @throws if a package is not in the lock file.
 */
export async function billOfMaterials({ root, files, systemParts, seconds }) {
  const installed = new Set(packagesOf(root, files))
  const shipped = new Set([...installed, ...packagesOf(root, await bundledFiles(root))])
  const { serialNumber: _, metadata, components, dependencies, ...rest } = listEverything(root)
  const main = metadata.component['bom-ref']
  return {
    ...rest,
    metadata: {
      ...metadata,
      lifecycles: [{ phase: 'build' }],
      timestamp: new Date(seconds * 1000).toISOString(),
      component: { ...metadata.component, name: 'latchkey' },
    },
    components: [
      ...components
        .filter(part => shipped.has(part['bom-ref']))
        .map(part => (installed.has(part['bom-ref']) ? part : { ...part, properties: [bundled] })),
      nodeComponent(),
      ...systemParts,
    ],
    dependencies: dependencies
      .filter(({ ref }) => ref === main || shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(each => shipped.has(each)) })),
  }
}

/**
 * Returns npm's list of everything in the lock file. NOTE: with `--omit dev` it would lack packages that production and
 * development both use, such as Next.
 */
function listEverything(root) {
  const npm = process.env.npm_execpath
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const given = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  return JSON.parse(execFileSync(command, [...prefix, ...given], { cwd: root, maxBuffer: 64 * 1024 * 1024 }))
}

/** Returns `name@version` of each package that one of the files belongs to. */
function packagesOf(root, files) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const places = files.flatMap(
    file => /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  )
  return [...new Set(places)].map(place => {
    const entry = packages[place]
    if (entry === undefined) throw new Error(`${place} is not in package-lock.json`)
    return `${entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 13)}@${entry.version}`
  })
}

/** Returns the files whose code is a part of the scripts of the hosted pages. */
async function bundledFiles(root) {
  const scripts = readdirSync(join(root, 'app/scripts')).filter(name => /(?<!\.test)\.ts$/.test(name))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: scripts.map(name => `app/scripts/${name}`),
    outdir: 'app/scripts',
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs)
}

function nodeComponent() {
  const { node: version } = process.versions
  return {
    'bom-ref': `pkg:generic/node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    licenses: [{ license: { id: 'MIT' } }],
  }
}

/**
 * Returns the components of Debian's packages.
 * @param controls the control fields of each package, such as `Version: 1`.
 */
export function systemComponents(controls) {
  const { ID: system, VERSION_ID: release } = Object.fromEntries(
    readFileSync('/etc/os-release', 'utf8')
      .split('\n')
      .map(line => line.replaceAll('"', '').split('=')),
  )
  return controls.map(control => {
    const field = name => new RegExp(`^${name}: (\\S+)`, 'm').exec(control)?.[1]
    const [name, version, source] = ['Package', 'Version', 'Source'].map(field)
    const qualifiers = new URLSearchParams({
      arch: field('Architecture'),
      distro: `${system}-${release}`,
      ...(source === undefined ? {} : { upstream: source }),
    })
    const purl = `pkg:deb/${system}/${name}@${encodeURIComponent(version)}?${qualifiers}`
    return { 'bom-ref': purl, type: 'library', name, version, purl }
  })
}
