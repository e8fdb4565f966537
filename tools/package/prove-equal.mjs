/**
 * `npm run package:equal`: builds the package of the current commit twice, in two clones, and compares the archives. Exit code 1
 * if they differ, with the names of the files that do.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../lib/server/start/bootstrap-stamps.mjs'
import { stop } from '../../lib/server/start/steps.mjs'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-equal-'))
try {
  // The second clone has a longer path, so that a path in the archive changes it
  const [first, second] = ['one', 'another-clone'].map(buildIn)
  if (first.sums !== second.sums) stop(`The archives differ:\n${differences(first.tree, second.tree)}`)
  process.stdout.write(`Both builds are equal:\n${first.sums}`)
} finally {
  rmSync(folder, { recursive: true })
}

function buildIn(name) {
  const [clone, tree, archives] = ['clone', 'tree', 'archives'].map(part => join(folder, name, part))
  mkdirSync(join(folder, name))
  run('git', ['clone', '--quiet', root, clone], folder)
  const seconds = run('git', ['log', '-1', '--format=%ct'], clone).trim()
  const env = { ...process.env, SOURCE_DATE_EPOCH: seconds }
  run('npm', ['run', '--silent', 'package', '--', tree, archives], clone, env)
  return { tree, sums: readFileSync(join(archives, 'SHA256SUMS'), 'utf8') }
}

/** Returns the first files that differ. */
function differences(one, other) {
  try {
    return run('diff', ['--recursive', '--brief', '--no-dereference', one, other], folder)
  } catch ({ stdout }) {
    return String(stdout).split('\n').slice(0, 20).join('\n')
  }
}

function run(command, given, cwd, env = process.env) {
  return execFileSync(command, given, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
