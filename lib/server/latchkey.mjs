/**
 * The one command of a package, which has everything installed and built: `latchkey start`, `latchkey health` and
 * further verbs. In a clone, `npm start` and `npm run` do the same.
 */
import { become, becomeServer } from './start/become-server.mjs'
import { stop } from './start/steps.mjs'

const startedAt = Date.now() - Math.round(performance.now())

/** The program of each verb. */
const programs = {
  admin: 'admin-command.ts',
  import: 'import-command.ts',
  health: 'health-command.ts',
  backup: 'backup-command.ts',
  restore: 'restore-command.ts',
  'check-upgrade': 'upgrade-command.ts',
  move: 'move-command.ts',
  'master-key': 'master-key-command.ts',
  'verify-audit': 'verify-audit.ts',
  'filter-passwords': 'filter-command.ts',
}

const [verb = 'start', ...given] = process.argv.slice(2)
if (verb === 'start') becomeServer({ node: process.execPath, startedAt, given })
else if (Object.hasOwn(programs, verb)) runCommand(programs[verb])
else stop(`There is no command "${verb}". Commands: start, ${Object.keys(programs).join(', ')}.`)

function runCommand(program) {
  const file = `lib/server/cli/${program}`
  become(
    process.execPath,
    ['--import', './lib/server/read-environment-file.mjs', file, ...given],
    process.env,
  )
}
