/** Prepares the folder of an earlier commit, to start it next to this checkout. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Returns the reason why this commit cannot be compared; `null` if it can. */
export function problemWith(commit: string): string | null {
  if (git(['cat-file', '-e', `${commit}^{commit}`]) === null)
    return `Skipped: the commit ${commit} is not here; this is a shallow clone, or a copy without history.`
  const current = git(['rev-parse', 'HEAD'])
  return current === git(['rev-parse', commit])
    ? `Skipped: ${commit} is the commit of this checkout, so there is no later release.`
    : null
}

/** Writes the files of the commit into a folder, and prepares them with its own packages, unless that is done. */
export function prepareCheckout(commit: string): string {
  const folder = join(root, '.latchkey/upgrade', git(['rev-parse', commit]) ?? commit)
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], root)
  }
  run('npm', ['run', 'setup'], folder)
  return folder
}

/** Returns the name of a migration with which the earlier release does not work; `null` if it works with all. */
export function contraction(older: string, newer: string): string | null {
  const [known, all] = [older, newer].map(folder => readdirSync(join(folder, 'prisma/migrations/postgresql')))
  const added = all?.filter(name => known?.includes(name) === false)
  return added?.find(name => !/^\d{14}_r\d+_expand_/.test(name)) ?? null
}

/** Returns the output of a command of Git; `null` if it failed. */
function git(parameters: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', parameters, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

function run(command: string, parameters: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, parameters, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ended with ${status} in ${cwd}.`)
}
