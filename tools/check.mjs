/** `npm run check`: runs all checks that are not tests, and prints the time of each. Exits with 1 if one fails. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { wordProblems } from './check-words.mjs'

const root = dirname(import.meta.dirname)
const execute = promisify(execFile)
const node = join(root, 'node_modules/.bin/node')
const longestFile = 300
/** Long files that are lists and not programs, such as messages, errors, reasons, and the CHANGELOG. */
const longFiles =
  /^(lib\/i18n\/messages\/|lib\/errors\/(catalog|reasons)\.ts$|docs\/(.*\.schema\.json|errors\.md|identityserver3\.md)$|package-lock\.json$|CHANGELOG\.md$)/
const skipped = new Set([
  'node_modules',
  '.next',
  '.git',
  '.latchkey',
  'data',
  'generated',
  'migrations',
  'test-results',
  'playwright-report',
])
/** The oldest Next that has every fix known in August 2026. */
const nextFloor = [16, 3, 3]
const reactFloor = [19, 3, 0]

const requirementRow = /^\| ([A-Z]+-\d\d) \| (must|should) \|/gm
const requirementId =
  /\b(?:AZ|CD|TK|RT|JW|KEY|MK|VE|CN|AU|MF|SE|FD|LO|WF|FW|AD|CR|LG|CF|BAK|DB|DX|FUZZ|LIM|ME|SHUT|UP|UXC)-\d\d\b/g
const fileInText = /`([\w.@[\]-]+(?:\/[\w.@[\]-]+)*\.(?:tsx?|mjs|css|prisma|md|grit))`/g
const requirementsPage = 'docs/requirements.md'

const checks = [
  // TypeScript 7 takes half the time of 6, which dependency-cruiser and others still import. One checker, because several would
  // infer the same types again, and another check uses the other processor.
  ['types', () => run('typescript-native/bin/tsc', ['--noEmit', '--checkers', '1'])],
  [
    'format and lint',
    () => run('@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '--reporter=summary', '.']),
  ],
  ['import rules', importRules],
  ['unused exports', () => run('knip/bin/knip.js', ['--no-progress', '--no-config-hints'])],
  [
    'schema drift',
    () =>
      script(
        "import { schemaDifference } from './prisma/schema-difference.ts'; report((await schemaDifference()) === null ? [] : ['The migrations do not create the tables of prisma/schema.prisma. Run npm run migration:new -- <name>.'])",
      ),
  ],
  ['UP-01 kinds of migrations', migrationKinds],
  ['configuration schema', configurationSchema],
  ['file length', fileLength],
  ['words', () => wordProblems(files(), readText).join('\n')],
  ['file names in text', unknownFileNames],
  ['requirement ids', () => requirementProblems().join('\n')],
  ['FW-05 framework release', frameworkRelease],
]
const lastCheck = ['import rules notice a violation', plantedViolation]
const cruiser = 'dependency-cruiser/bin/dependency-cruise.mjs'
/** The number of checks that run at the same time. Most of them use one processor. */
const together = 2

if (process.versions.node.split('.')[0] < 24 && existsSync(node)) {
  process.exit(spawnSync(node, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1)
}

let failed = 0
const waiting = [...checks]
await Promise.all(Array.from({ length: together }, inTurn))
// The last check creates a violation in a folder that the others read
await runCheck(lastCheck)
console.log(`${checks.length + 1 - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function inTurn() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await runCheck(check)
}

async function runCheck([name, check]) {
  const started = Date.now()
  const problems = await check()
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(`${problems === '' ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`)
  if (problems === '') return
  console.log(problems.trimEnd())
  failed++
}

/** Checks the import rules, and that enough files were read: dependency-cruiser ignores files that it cannot parse. */
async function importRules() {
  const { output } = await capture(cruiser, cruise(['lib', 'app', 'prisma', 'e2e'], 'json'))
  const { modules, summary } = JSON.parse(output)
  if (summary.violations.length > 0)
    return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).join('\n')
  const seen = modules.filter(module => /^(lib|app)\//.test(module.source)).length
  const there = files().filter(file => /^(lib|app)\/.*\.tsx?$/.test(file)).length
  if (seen < there * 0.9)
    return `Only ${seen} of ${there} modules were read: dependency-cruiser does not understand our files.`
  return ''
}

async function plantedViolation() {
  const folder = join(root, 'lib/core/planted-violation')
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(join(folder, 'planted.ts'), "import '#lib/server/services.ts'\nimport 'next'\n")
    const { output } = await capture(cruiser, cruise(['lib/core/planted-violation'], 'err'))
    const isFound = output.includes('core-imports') && output.includes('core-packages')
    return isFound ? '' : `A planted violation was not found:\n${output}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function cruise(paths, format) {
  return [...paths, '--config', '.dependency-cruiser.mjs', '--output-type', format]
}

/** Checks that each new migration says whether the release before works with it, and that this is true. */
function migrationKinds() {
  return script(`
    import { readMigrations } from './prisma/migration-files.ts'
    import { migrationProblems } from './prisma/migration-rules.ts'
    report(['sqlite', 'postgresql'].flatMap(product => migrationProblems(product, readMigrations(product))))`)
}

/** Checks that `docs/latchkey.schema.json`, which editors use for configuration files, is up to date. */
function configurationSchema() {
  return script(`
    import { readFileSync } from 'node:fs'
    import { configurationJsonSchema } from './lib/protocol/registration/generated-documents.ts'
    const generated = JSON.stringify(configurationJsonSchema(), null, 2) + '\\n'
    const isSame = readFileSync('docs/latchkey.schema.json', 'utf8') === generated
    report(isSame ? [] : ['docs/latchkey.schema.json is out of date: run npm run docs:write.'])`)
}

/** Checks that files which a text names in backticks exist, with or without their folders. */
function unknownFileNames() {
  const all = files()
  const known = new Set(
    all.flatMap(file => file.split('/').map((_, index, parts) => parts.slice(index).join('/'))),
  )
  return all
    .filter(file => /\.(?:md|tsx?|mjs|css|prisma)$/.test(file))
    .flatMap(file => [...readText(file).matchAll(fileInText)].map(([, name]) => ({ file, name })))
    .filter(({ name }) => !known.has(name))
    .map(({ file, name }) => `${file}: there is no file ${name}.`)
    .join('\n')
}

function fileLength() {
  return files()
    .filter(file => /\.(ts|tsx|mjs|css|md)$/.test(file) && !longFiles.test(file))
    .map(file => ({ file, lines: readText(file).split('\n').length - 1 }))
    .filter(({ lines }) => lines > longestFile)
    .map(({ file, lines }) => `${file} has ${lines} lines; ${longestFile} are allowed.`)
    .join('\n')
}

/**
 * Finds requirement IDs that docs/requirements.md does not list or lists twice, that nothing uses, or that are required
 * but have no test and no lint rule.
 */
function requirementProblems() {
  const rows = [...readText(requirementsPage).matchAll(requirementRow)].map(([, name, level]) => ({
    name,
    level,
  }))
  const names = new Set(rows.map(({ name }) => name))
  const sources = files().filter(file => /^(?:lib|app|prisma|e2e|tools)\/.*\.(?:tsx?|mjs|grit)$/.test(file))
  const used = sources.flatMap(file => idsIn(readText(file)).map(name => ({ file, name })))
  const tests = sources.filter(file => /\.(?:test|spec|contract)\.ts$|\.grit$|check\.mjs$/.test(file))
  const tested = new Set(tests.flatMap(file => idsIn(withoutComments(readText(file)))))
  return [
    ...used
      .filter(({ name }) => !names.has(name))
      .map(({ file, name }) => `${file}: ${name} is not listed in ${requirementsPage}.`),
    ...rows
      .filter(({ name }, index) => rows.findIndex(other => other.name === name) !== index)
      .map(({ name }) => `${requirementsPage}: ${name} is listed twice.`),
    ...[...names]
      .filter(name => !used.some(use => use.name === name))
      .map(name => `${requirementsPage}: nothing uses ${name}; remove its row.`),
    ...rows
      .filter(({ name, level }) => level === 'must' && !tested.has(name))
      .map(({ name }) => `${requirementsPage}: no test title and no lint rule has ${name}.`),
  ]
}

function idsIn(text) {
  return [...text.matchAll(requirementId)].map(([name]) => name)
}

function withoutComments(source) {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function frameworkRelease() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const floors = { next: nextFloor, react: reactFloor, 'react-dom': reactFloor }
  return Object.entries(floors)
    .filter(([name, floor]) => isOlder(packages[`node_modules/${name}`].version, floor))
    .map(([name, floor]) => `${name} is older than ${floor.join('.')}, which has known weaknesses.`)
    .join('\n')
}

function isOlder(version, floor) {
  const parts = version.split(/[.-]/).map(Number)
  const different = floor.findIndex((part, index) => part !== parts[index])
  return different !== -1 && parts[different] < floor[different]
}

function readText(file) {
  return readFileSync(join(root, file), 'utf8')
}

/** Returns the path of every file of the project, relative to the root; those in `skipped` folders are left out. */
function files(folder = root) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => !skipped.has(entry.name))
    .flatMap(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? files(path) : [relative(root, path)]
    })
}

/** Runs lines as a module at the root, and reports the problems that they print. */
async function script(lines) {
  const report =
    'const report = problems => { console.log(problems.join("\\n")); process.exitCode = problems.length }\n'
  const { code, output } = await start([
    process.execPath,
    '--input-type=module-typescript',
    '-e',
    report + lines,
  ])
  return code === 0 ? '' : output
}

async function run(tool, parameters) {
  const { code, output } = await capture(tool, parameters)
  return code === 0 ? '' : output || `${tool} ended with ${code}`
}

function capture(tool, parameters) {
  return start([process.execPath, join(root, 'node_modules', tool), ...parameters])
}

async function start([command, ...parameters]) {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }
  try {
    const { stdout, stderr } = await execute(command, parameters, { cwd: root, env, maxBuffer: Infinity })
    return { code: 0, output: stdout + stderr }
  } catch ({ code, stdout = '', stderr = '' }) {
    return { code, output: stdout + stderr }
  }
}
