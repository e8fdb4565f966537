/** Tests the archives of a package with a small one. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { writeArchives } from './archive.mjs'
import { settingsOf } from './image.mjs'
import { billPlace } from './sbom.mjs'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-archive-'))
after(() => rmSync(folder, { recursive: true }))
const dockerfile = readFileSync(resolve(import.meta.dirname, '../../Dockerfile'), 'utf8')
const labels = { 'org.opencontainers.image.version': '1.2.3' }

/** Makes a package, whose files are written in the given order. Returns the folder of its archives. */
async function archivesOf(name: string, files: readonly string[]): Promise<string> {
  const target = join(folder, name, 'tree')
  for (const file of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    writeFileSync(join(target, file), file)
    utimesSync(join(target, file), files.indexOf(file), 1_000 + files.indexOf(file))
  }
  mkdirSync(join(target, 'data'))
  chmodSync(join(target, 'data'), 0o700)
  symlinkSync('../app', join(target, 'app/link'))
  const archives = join(folder, name, 'archives')
  await writeArchives({ target, folder: archives, name: 'small', seconds: 1_700_000_000, dockerfile, labels })
  return archives
}

const files = ['app/a', 'app/B', 'app/c/deep', billPlace]

test('archives of the same files are equal, whenever and in whatever order these were written', async () => {
  const [first, second] = [await archivesOf('first', files), await archivesOf('second', files.toReversed())]
  const names = ['SHA256SUMS', 'small.cdx.json', 'small.oci.tar', 'small.tar.gz']
  assert.deepEqual(readdirSync(first).sort(), names)
  for (const name of names)
    assert.deepEqual(readFileSync(join(first, name)), readFileSync(join(second, name)), name)
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: first })
})

test('everything in an archive belongs to root, except the data folder', async () => {
  const archives = await archivesOf('owners', files)
  const given = ['--list', '--verbose', '--numeric-owner', '--file', join(archives, 'small.tar.gz')]
  const lines = execFileSync('tar', given, { encoding: 'utf8' }).trim().split('\n')
  const others = lines.filter(line => !/^\S+ 0\/0 /.test(line))
  assert.equal(others.length, 1)
  assert.match(others[0] ?? '', /^drwx------ 65532\/65532 .* \.\/data\/$/)
  assert.ok(lines.some(line => line.endsWith('./app/link -> ../app')))
})

test('an image has the archive as its layer, and the settings of the Dockerfile', async () => {
  const archives = await archivesOf('image', files)
  const layout = join(folder, 'layout')
  mkdirSync(layout)
  execFileSync('tar', ['--extract', '--directory', layout, '--file', join(archives, 'small.oci.tar')])
  const blob = (digest: string) => {
    const content = readFileSync(join(layout, 'blobs', digest.replace(':', '/')))
    assert.equal(digest, `sha256:${sha256(content)}`)
    return content
  }
  const read = (digest: string) => JSON.parse(blob(digest).toString())
  const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'))
  const manifest = read(index.manifests[0].digest)
  const layer = blob(manifest.layers[0].digest)
  assert.deepEqual(layer, readFileSync(join(archives, 'small.tar.gz')))
  const { config, rootfs } = read(manifest.config.digest)
  assert.deepEqual(rootfs.diff_ids, [`sha256:${sha256(gunzipSync(layer))}`])
  assert.deepEqual(config, {
    User: '65532:65532',
    WorkingDir: '/app',
    Env: ['NODE_ENV=production', 'HOST=0.0.0.0', 'PORT=3000', 'DATA_DIR=/data'],
    Entrypoint: ['/usr/bin/node', '/app/lib/server/latchkey.mjs'],
    Cmd: ['start'],
    ExposedPorts: { '3000/tcp': {} },
    Volumes: { '/data': {} },
    StopSignal: 'SIGTERM',
    Labels: labels,
  })
})

test('the settings of an image are those of the last stage of a Dockerfile', () => {
  const stages = dockerfile.replace('\nRUN ', '\nUSER 0:0\nENV A=b\nRUN ')
  assert.deepEqual(settingsOf(stages), settingsOf(dockerfile))
})

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
