/** Tests backups and restores on a full disk: a small file system in memory, where the system lets a user mount one. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { decodeMasterKey } from '#lib/config/master-key-text.ts'
import { masterKeysFor } from '#lib/crypto/testing/master-keys.ts'
import { openInstallation } from '#lib/crypto/testing/opened-installation.ts'
import { migrate } from '#prisma/migrate.ts'

const root = join(import.meta.dirname, '../..')
const text = 'dGhlIG1hc3RlciBrZXkgb2YgdGhlIHRlc3RzIG9mIGZ1bGwgZGlza3M'
const masterKey = decodeMasterKey(text) ?? Buffer.alloc(0)
const canMount = spawnSync('unshare', ['-Urm', 'true']).status === 0

describe('a full disk', { skip: canMount ? false : 'a user cannot mount a file system here' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-full-'))
  const small = join(folder, 'small')
  const backups = join(folder, 'backups')
  const database = join(folder, 'latchkey.db')
  after(() => rmSync(folder, { recursive: true, force: true }))
  before(async () => {
    mkdirSync(small)
    await migrate({ kind: 'sqlite', file: database })
    const { storage } = await openInstallation({ kind: 'sqlite', file: database }, masterKeysFor(masterKey))
    await storage.close()
  })

  /** Runs a command with a file system of `kilobytes` at `small`, and returns its result with the files there. */
  const run = (kilobytes: number, file: string, script: 'backup' | 'restore', given: readonly string[]) => {
    const mounted = `mount -t tmpfs -o size=${Math.ceil(kilobytes)}k tmpfs "$0"; [ ! -e "$1" ] || cp "$1" "$0/latchkey.db"`
    const command = `${mounted}; shift; "$@"; code=$?; ls -A "$0" >&2; exit $code`
    const node = [process.execPath, `lib/server/cli/${script}-command.ts`, ...given]
    const env = { ...process.env, MASTER_KEY: text, DATABASE_URL: `file:${file}`, DATA_DIR: folder }
    const options = { cwd: root, env, encoding: 'utf8', input: '' } as const
    const copied = file.startsWith(small) && script === 'backup' ? database : '/nowhere'
    const { status, stderr } = spawnSync(
      'unshare',
      ['-Urm', 'sh', '-c', command, small, copied, ...node],
      options,
    )
    const [sentence = '', ...files] = stderr.trim().split('\n')
    return { status, sentence, files: files.filter(name => !/\.lock$|-shm$|-wal$/.test(name)) }
  }
  const kilobytes = () => Math.ceil(statSync(database).size / 1024)
  const full = /^The disk is full or cannot be written: [^.]+\. Nothing was changed\.$/

  test('BAK-01 of the folder of the backups ends a backup with one sentence, and leaves no part of it', () => {
    const { status, sentence, files } = run(kilobytes() / 2, database, 'backup', [small])
    assert.match(sentence, full)
    assert.deepEqual([status, files], [1, []])
    assert.deepEqual(
      readdirSync(folder).filter(name => /\.backup$/.test(name)),
      [],
    )
  })

  test('BAK-01 of the database ends a backup with one sentence, and leaves the database as it was', () => {
    const { status, sentence, files } = run(kilobytes() * 1.5, join(small, 'latchkey.db'), 'backup', [
      backups,
    ])
    assert.match(sentence, full)
    assert.deepEqual([status, files], [1, ['latchkey.db']])
  })

  test('BAK-02 ends a restore with one sentence, and leaves the target empty', () => {
    const made = spawnSync(process.execPath, ['lib/server/cli/backup-command.ts', backups], {
      cwd: root,
      env: { ...process.env, MASTER_KEY: text, DATABASE_URL: `file:${database}`, DATA_DIR: folder },
      encoding: 'utf8',
    })
    const backup = made.stdout.split('\n')[0] ?? ''
    const bytes = statSync(backup).size / 1024
    // The second size has room for the data, but not for the work on it
    for (const size of [bytes / 2, bytes + 24]) {
      const { status, sentence, files } = run(size, join(small, 'latchkey.db'), 'restore', [backup])
      assert.match(sentence, full)
      assert.deepEqual([status, files], [1, []])
    }
  })
})
