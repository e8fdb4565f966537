/** Writes a package as an image in the layout of OCI, without a container engine. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTar } from './tar.mjs'

/** The version of both formats below. */
const layout = { imageLayoutVersion: '1.0.0' }
const types = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
}

/**
 * Writes the image, whose only layer is the archive.
 *
 * @param archive the compressed archive, with the digests of the archive and of its content.
 * @param file where the image is written.
 * @param dockerfile the text of the Dockerfile, whose settings the image has.
 * @param labels the labels of the image.
 * @param seconds the time of the image, since the epoch.
 */
export function writeImage({ archive, file, dockerfile, labels, seconds }) {
  const folder = `${file}.part`
  const created = new Date(seconds * 1000).toISOString()
  try {
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true })
    copyFileSync(archive.file, join(folder, 'blobs/sha256', archive.digest))
    const layer = described(types.layer, archive.digest, statSync(archive.file).size)
    const config = writeBlob(folder, types.config, {
      created,
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: { ...settingsOf(dockerfile), Labels: labels },
      rootfs: { type: 'layers', diff_ids: [`sha256:${archive.contentDigest}`] },
      history: [{ created, created_by: 'npm run package' }],
    })
    const manifest = writeBlob(folder, types.manifest, {
      schemaVersion: 2,
      mediaType: types.manifest,
      config,
      layers: [layer],
    })
    const name = { 'org.opencontainers.image.ref.name': labels['org.opencontainers.image.version'] }
    writeJson(join(folder, 'oci-layout'), layout)
    writeJson(join(folder, 'index.json'), {
      schemaVersion: 2,
      manifests: [{ ...manifest, annotations: name }],
    })
    writeTar({ folder, tar: file, seconds })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the settings that the last stage of a Dockerfile gives its image. */
export function settingsOf(dockerfile) {
  const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ') + 1)
  const line = name => new RegExp(`^${name} (.+)$`, 'm').exec(stage)?.[1] ?? ''
  return {
    User: line('USER'),
    WorkingDir: line('WORKDIR'),
    Env: line('ENV').split(' '),
    Entrypoint: JSON.parse(line('ENTRYPOINT')),
    Cmd: JSON.parse(line('CMD')),
    ExposedPorts: { [`${line('EXPOSE')}/tcp`]: {} },
    Volumes: { [line('VOLUME')]: {} },
    StopSignal: line('STOPSIGNAL'),
  }
}

/** Writes an object under its digest, and returns its description. */
function writeBlob(folder, type, content) {
  const text = JSON.stringify(content)
  const digest = createHash('sha256').update(text).digest('hex')
  writeFileSync(join(folder, 'blobs/sha256', digest), text)
  return described(type, digest, Buffer.byteLength(text))
}

function described(mediaType, digest, size) {
  return { mediaType, digest: `sha256:${digest}`, size }
}

function writeJson(file, content) {
  writeFileSync(file, JSON.stringify(content))
}
