/**
 * `npm run applications:test`: runs applications that sign their users in with this server, and prints a table with the result of
 * each. It fetches them from package registries at the first time; what cannot be fetched here is skipped, with the reason.
 * `-- NAME…` runs only the test files with these names.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from 'node:test'

const ending = '.test.ts'
const root = join(import.meta.dirname, '../..')
const names = process.argv.slice(2)
const files = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith(ending) && (names.length === 0 || names.includes(basename(file, ending))))
  .map(file => join(import.meta.dirname, file))

type Result = 'passed' | 'failed' | 'skipped'
type Row = { readonly application: string; readonly result: Result; readonly text: string }
const rows: Row[] = []
const failures: string[] = []
const began = Date.now()

const events = run({
  files,
  concurrency: 2,
  cwd: root,
  execArgv: ['--import', './lib/server/load-views.mjs'],
})
events.on('test:stderr', ({ message }) => process.stderr.write(message))
events.on('test:pass', ({ name, file, skip, details }) => {
  const result = skip === undefined ? 'passed' : 'skipped'
  add({ name, file, result, text: typeof skip === 'string' ? skip : seconds(details.duration_ms) })
})
events.on('test:fail', ({ name, file, details: { duration_ms, error } }) => {
  add({ name, file, result: 'failed', text: seconds(duration_ms) })
  const cause = error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : error.message
  failures.push(`✗ ${name}\n${cause}`)
})
await new Promise(resolve => events.on('end', resolve).resume())

for (const failure of failures) console.error(failure)
console.log(`\nall of it in ${seconds(Date.now() - began)}`)
const count = (wanted: Result) => rows.filter(({ result }) => result === wanted).length
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
process.exitCode = count('failed') === 0 && rows.length > 0 ? 0 : 1

type Ended = { readonly name: string; readonly file: string | undefined } & Omit<Row, 'application'>

/** Adds a row for a test, and prints it. */
function add({ name, file = '', result, text }: Ended): void {
  const application = basename(file, ending)
  rows.push({ application, result, text })
  console.log(`| ${application.padEnd(24)} | ${result.padEnd(7)} | ${text} | ${name} |`)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
