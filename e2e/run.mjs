/**
 * `npm test`: prepares like `npm start`, then runs checks, unit tests, HTTP tests and browser flows, on SQLite and PostgreSQL. It
 * runs on any Node from 20 on, with nothing installed. The last line is `N passed, N failed`; it exits with 1 if anything failed
 * or nothing passed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
const environment = {
  ...process.env,
  PATH: `${bin}:${process.env.PATH}`,
  NEXT_TELEMETRY_DISABLED: '1',
  FORCE_COLOR: '0',
  // Compiled code is kept in the folder that `npm start` uses
  NODE_COMPILE_CACHE: join(root, '.latchkey/compile-cache'),
}
/** The number of test processes at the same time, without those that only wait. */
const together = 2
/** Slow test files, each of which runs in a separate process. */
const longTests = ['lib/storage/storage.test.ts', 'lib/storage/storage.postgres.test.ts']
/** Test files that only wait, for a silent database or a slow step. They run in addition to the others. */
const waitingTests = ['lib/storage/silent-server.postgres.test.ts', 'lib/server/start/steps.test.ts']
/** HTTP tests that run on both databases. All others run on SQLite. */
const onBothDatabases = [
  'authorize-interaction',
  'code',
  'token',
  'refresh',
  'validation',
  'revocation-introspection',
  'consent',
  'logout',
  'account',
  'own-passwords',
  'ways-back',
  'events',
  'migration',
  'admin-api',
  'admin-forms',
  'admin-limits',
]

if (process.argv[2] !== '--prepared') {
  prepare()
  // Runs this file again, with the installed Node if there is one
  const again = spawnSync(
    nodeBinary(),
    [fileURLToPath(import.meta.url), '--prepared', ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
      env: environment,
    },
  )
  process.exit(again.status ?? 1)
}

const results = join(root, 'test-results')
rmSync(results, { recursive: true, force: true })
const databases = join(results, 'databases')
mkdirSync(databases, { recursive: true })
const { installChromium } = await import('./fixtures/browser/chromium.mjs')
const total = { passed: 0, failed: 0 }
const processors = { busy: 0, awaited: [] }
const began = Date.now()

/**
 * The stages in their order. The stages of one row run at the same time, so that no processor is idle while the last test of a
 * stage runs.
 */
const stages = [
  [['checks', () => tool(['tools/check.mjs'])]],
  [
    ['HTTP tests on SQLite', () => httpTests('sqlite')],
    ['HTTP tests on PostgreSQL', () => httpTests('postgresql', onBothDatabases)],
    ['unit and contract tests', () => nodeTests(unitTests(), { TEST_DATABASES: databases })],
    [
      'tests that wait',
      () => nodeTests(oneByOne('waiting', waitingTests), { TEST_DATABASES: databases }, work => work()),
    ],
    ['browser flows on SQLite and PostgreSQL', () => inTurn(browserFlows)],
  ],
]

const only = process.argv[3]
for (const line of stages) {
  await Promise.all(line.filter(([name]) => only === undefined || name.includes(only)).map(carryOut))
}

console.log(`\nall of it in ${seconds(began)}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

async function carryOut([name, stage]) {
  const started = Date.now()
  console.log(`── ${name}`)
  const { passed, failed } = await stage()
  total.passed += passed
  total.failed += failed
  console.log(`── ${name}: ${passed} passed, ${failed} failed, ${seconds(started)}`)
}

function prepare() {
  const started = Date.now()
  const prepared = spawnSync(process.execPath, ['lib/server/bootstrap.mjs', '--prepare'], {
    cwd: root,
    stdio: 'inherit',
    env: environment,
  })
  if (prepared.status !== 0) process.exit(prepared.status ?? 1)
  console.log(`── prepared: ${seconds(started)}`)
}

function nodeBinary() {
  const installed = join(bin, 'node')
  return existsSync(installed) ? installed : process.execPath
}

/** The unit tests, except those that only wait. Slow files come first, in separate processes, so that they do not end last. */
function unitTests() {
  const files = ['lib', 'app', 'prisma', 'examples', 'tools'].flatMap(testsIn)
  const quick = files.filter(file => ![...longTests, ...waitingTests].includes(file))
  return [...oneByOne('long', longTests), ...writeBatches(join(results, 'unit'), quick, 6)]
}

/**
 * The HTTP tests, in two batches: tests with the administrators of `sharedStaff`, and all others. The files of a batch share
 * servers.
 */
function httpTests(kind, wanted = null) {
  const files = testsIn('e2e/http').filter(
    file => wanted === null || wanted.includes(basename(file, '.test.ts')),
  )
  const [staffed, others] = [files.filter(asksForStaff), files.filter(file => !asksForStaff(file))]
  const folder = join(results, kind)
  const batches = [
    writeSharingBatch(folder, 'dashboard', staffed),
    writeSharingBatch(folder, 'others', others),
  ]
  return nodeTests(batches, { E2E_DATABASE: kind, E2E_SHARING: 'yes' })
}

function asksForStaff(file) {
  return readFileSync(join(root, file), 'utf8').includes('sharedStaff(')
}

function testsIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter(file => file.endsWith('.test.ts'))
    .map(file => join(folder, file))
}

/**
 * Writes `count` files that import `files`, and returns their names. Neighboring files take similar times, so they go into
 * different batches.
 */
function writeBatches(folder, files, count) {
  return Array.from({ length: count }, (_, number) => {
    const own = files.filter((_, index) => index % count === number)
    return write(folder, `batch-${number + 1}`, batchHead() + own.map(suiteOf).join(''))
  })
}

/** Writes a batch for each file. */
function oneByOne(name, files) {
  return writeBatches(join(results, name), files, files.length)
}

/** Writes one file that imports `files`, and returns its name. With `E2E_SHARING` the files share their servers. */
function writeSharingBatch(folder, name, files) {
  // Imported outside of the suites, so that the shared servers end after the last file
  const fixture = `import ${addressOf('e2e/fixtures/server/suite.ts')}\n`
  return write(folder, name, batchHead() + fixture + files.map(suiteOf).join(''))
}

function write(folder, name, text) {
  mkdirSync(folder, { recursive: true })
  const batch = join(folder, `${name}.test.mjs`)
  writeFileSync(batch, text)
  return batch
}

/** A suite for each file, because hooks belong to the suite in which they are registered. */
function suiteOf(file) {
  return `describe(${JSON.stringify(file)}, () => import(${addressOf(file)}))\n`
}

function addressOf(file) {
  return JSON.stringify(pathToFileURL(join(root, file)).href)
}

/**
 * Imports for every batch: the hook with which the server loads the components of pages, and one that waits for the last test.
 */
function batchHead() {
  const imported = ['e2e/fixtures/runner/until-the-last-test.mjs', 'lib/server/load-views.mjs']
  return `${imported.map(file => `import ${addressOf(file)}\n`).join('')}import { describe } from 'node:test'\n`
}

/**
 * Runs each file in a separate process. `begin` starts it, by default when a processor is free. Returns the sums of the results.
 */
async function nodeTests(files, extra = {}, begin = inTurn) {
  const options = ['--test', '--test-reporter=./e2e/fixtures/runner/short-reporter.mjs']
  const counts = await Promise.all(files.map(file => begin(() => tool([...options, file], extra))))
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  }
}

/** Calls `work` when a processor is free, in the order of the calls. */
async function inTurn(work) {
  if (processors.busy === together) await new Promise(resolve => processors.awaited.push(resolve))
  else processors.busy += 1
  try {
    return await work()
  } finally {
    const next = processors.awaited.shift()
    if (next === undefined) processors.busy -= 1
    else next()
  }
}

async function browserFlows() {
  installChromium(root)
  const parameters = ['node_modules/playwright/cli.js', 'test', '--config', 'e2e/playwright.config.ts']
  const { code } = await start(parameters, { output: 'inherit' })
  const report = join(results, 'flows.json')
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const { stats } = JSON.parse(readFileSync(report, 'utf8'))
  const failed = stats.unexpected + stats.flaky
  return { passed: stats.expected, failed: failed === 0 && code !== 0 ? 1 : failed }
}

/** Runs a program whose last line is `N passed, N failed`, and prints the output before that line. */
async function tool(parameters, extra = {}) {
  const { code, output } = await start(parameters, { extra })
  const [line = '', passed = '0', failed = '0'] = /\b(\d+) passed, (\d+) failed\n$/.exec(output) ?? []
  process.stdout.write(output.slice(0, output.length - line.length))
  const isUnexplained = failed === '0' && (code !== 0 || passed === '0')
  return { passed: Number(passed), failed: isUnexplained ? 1 : Number(failed) }
}

function start(parameters, { extra = {}, output: stdout = 'pipe' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, parameters, {
      cwd: root,
      env: { ...environment, ...extra },
      stdio: ['ignore', stdout, 'inherit'],
    })
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', text => {
      output += text
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, output }))
  })
}

function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`
}
