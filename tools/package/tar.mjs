/** Writes files as an archive whose bytes depend only on their names, their contents and their modes. */
import { execFileSync } from 'node:child_process'

/**
 * Writes an archive, in which everything belongs to root.
 *
 * @param folder where the names of the entries begin.
 * @param tar where the archive is written.
 * @param seconds the time of all entries, since the epoch.
 * @param entry the file or folder that is written, with all that is in it.
 * @param owned a folder in it that belongs to another user, and is written without its files.
 */
export function writeTar({ folder, tar, seconds, entry = '.', owned = null }) {
  const shared = [
    `--file=${tar}`,
    `--directory=${folder}`,
    '--numeric-owner',
    '--format=gnu',
    `--mtime=@${seconds}`,
  ]
  const without = owned === null ? [] : ['--anchored', `--exclude=${owned.path}`]
  execFileSync('tar', ['--create', ...shared, '--sort=name', '--owner=0', '--group=0', ...without, entry])
  if (owned === null) return
  const ids = [`--owner=${owned.id}`, `--group=${owned.id}`]
  execFileSync('tar', ['--append', ...shared, ...ids, '--no-recursion', owned.path])
}
