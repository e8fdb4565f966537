/** Reads the manifests of a kustomization and of those it builds on, without changing them as kustomize does. */
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { fetchSoftware } from '../../../e2e/fixtures/outside/outside-software.ts'

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})

/** An object of Kubernetes, whose other fields are not checked. */
export type Manifest = z.output<typeof manifestSchema>

const kustomizationSchema = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.literal('latchkey'),
  resources: z.array(z.string()),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).default([]),
  configMapGenerator: z
    .array(
      z.strictObject({
        name: z.string(),
        behavior: z.literal('merge').optional(),
        literals: z.array(z.string()),
      }),
    )
    .default([]),
})

/** A kustomization with the manifests and settings of those that it builds on. */
export type Kustomization = {
  readonly manifests: readonly Manifest[]
  /** The lines `NAME=value` of its ConfigMap. */
  readonly settings: readonly string[]
  readonly images: readonly { readonly name: string; readonly newTag: string }[]
  /** The paths of its files. */
  readonly files: readonly string[]
}

/** Reads YAML as Kubernetes does, whose numbers with a leading 0 are octal: version 1.1. */
export type ReadYaml = (text: string) => unknown

/** Returns a reader of YAML, or a sentence that explains why YAML cannot be read. */
export async function yamlReader(): Promise<ReadYaml | { readonly missing: string }> {
  const fetched = await fetchSoftware({ registry: 'npm', name: 'yaml', version: '2.9.1' })
  if ('missing' in fetched) return fetched
  const { parse }: { parse: (text: string, options: { version: '1.1' }) => unknown } = createRequire(
    join(fetched.folder, 'package.json'),
  )('yaml')
  return text => parse(text, { version: '1.1' })
}

/**
 * Reads a folder with a kustomization.
 * @throws if a field of the kustomization is not known, or a file does not exist.
 */
export function readKustomization(folder: string, readYaml: ReadYaml): Kustomization {
  const read = (file: string) => readYaml(readFileSync(file, 'utf8'))
  const file = join(folder, 'kustomization.yaml')
  const { resources, configMapGenerator, images } = kustomizationSchema.parse(read(file))
  const parts = resources.map(resource => {
    const path = join(folder, resource)
    if (statSync(path).isDirectory()) return readKustomization(path, readYaml)
    return { manifests: [manifestSchema.parse(read(path))], settings: [], images: [], files: [path] }
  })
  return {
    manifests: parts.flatMap(({ manifests }) => manifests),
    settings: [
      ...parts.flatMap(({ settings }) => settings),
      ...configMapGenerator.flatMap(map => map.literals),
    ],
    images: [...parts.flatMap(part => part.images), ...images],
    files: [file, ...parts.flatMap(({ files }) => files)],
  }
}
