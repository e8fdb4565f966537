/**
 * The one command of a package, which has everything installed and built: `latchkey start`, `latchkey health` and
 * further verbs. In a clone, `npm start` and `npm run` do the same.
 */
import { becomeCommand, becomeServer } from './start/become-server.mjs'
import { stop } from './start/steps.mjs'

const startedAt = Date.now() - Math.round(performance.now())

/** The program of each verb. */
const programs = {
  admin: 'admin-command.ts',
  import: 'import-command.ts',
  health: 'health-command.ts',
  doctor: 'doctor-command.ts',
  'review-config': 'review-command.ts',
  backup: 'backup-command.ts',
  restore: 'restore-command.ts',
  'check-upgrade': 'upgrade-command.ts',
  move: 'move-command.ts',
  'master-key': 'master-key-command.ts',
  'verify-audit': 'verify-audit.ts',
  'filter-passwords': 'filter-command.ts',
}

const all = process.argv.slice(2)
/** Whether relative paths begin at the current folder. Otherwise they begin at the folder of the app. */
const isHere = all[0] === '--here'
const [verb = 'start', ...given] = isHere ? all.slice(1) : all
const shared = { node: process.execPath, given, folder: isHere ? process.cwd() : undefined }

if (verb === 'start') becomeServer({ ...shared, startedAt })
else if (Object.hasOwn(programs, verb))
  becomeCommand({ ...shared, program: `lib/server/cli/${programs[verb]}` })
else stop(`There is no command "${verb}". Commands: start, ${Object.keys(programs).join(', ')}.`)
