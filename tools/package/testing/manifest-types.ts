/**
 * Checks manifests with the types of Kubernetes' API, by the compiler. It notices unknown fields, which the API server would
 * ignore with a warning; the API's own schemas allow them.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fetchSoftware } from '../../../e2e/fixtures/outside/outside-software.ts'
import type { Manifest } from './read-manifests.ts'

const compiler = resolve(import.meta.dirname, '../../../node_modules/typescript-native/bin/tsc')
const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve', '--pretty', 'false']

/** The modules of the types of each version of the API. */
const modules: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
}

/** Returns a function that lists the problems of a manifest, or a sentence that explains why manifests cannot be checked. */
export async function manifestChecker(): Promise<
  ((manifests: readonly Manifest[]) => Promise<readonly string[]>) | { readonly missing: string }
> {
  const fetched = await fetchSoftware({ registry: 'npm', name: 'kubernetes-types', version: '1.30.0' })
  if ('missing' in fetched) return fetched
  const types = join(fetched.folder, 'node_modules/kubernetes-types')
  return manifests =>
    compile(manifests.map((manifest, index) => statementOf(manifest, index, types)).join(''))
}

function statementOf(manifest: Manifest, index: number, types: string): string {
  const { apiVersion, kind } = manifest
  const from = JSON.stringify(join(types, modules[apiVersion] ?? `unknown-version-${apiVersion}`))
  const value = JSON.stringify(manifest, null, 2)
  return `import type { ${kind} as Kind${index} } from ${from}\nexport const manifest${index}: Kind${index} = ${value}\n`
}

async function compile(source: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-manifests-'))
  try {
    await writeFile(join(folder, 'manifests.ts'), source)
    const output = await new Promise<string>(done => {
      const given = [compiler, ...options, join(folder, 'manifests.ts')]
      execFile(process.execPath, given, { cwd: folder }, (_, stdout, stderr) => done(stdout + stderr))
    })
    return output.split('\n').filter(line => line !== '')
  } finally {
    await rm(folder, { recursive: true })
  }
}
