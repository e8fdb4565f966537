/**
 * `npm run test:files -- <file>…` runs single test files: unit tests, HTTP tests and browser flows. It first prepares the clone,
 * as `npm start` does. HTTP tests and flows use SQLite, or the database that `E2E_DATABASE` names: `sqlite` or `postgresql`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { installChromium } from '../e2e/fixtures/browser/chromium.mjs'

const root = join(import.meta.dirname, '..')
const files = process.argv.slice(2).map(file => relative(root, resolve(file)))
const missing = files.find(file => !existsSync(join(root, file)))
if (files.length === 0)
  fail('Name at least one test file: npm run test:files -- lib/core/token/token.test.ts')
if (missing !== undefined) fail(`There is no file ${missing}.`)

run(process.execPath, ['lib/server/bootstrap.mjs', '--prepare'])
const installedNode = join(root, 'node_modules/.bin/node')
const node = existsSync(installedNode) ? installedNode : process.execPath
const flows = files.filter(file => file.endsWith('.spec.ts'))
const tests = files.filter(file => !flows.includes(file))
if (tests.length > 0) run(node, ['--import', './lib/server/load-views.mjs', '--test', ...tests])
if (flows.length > 0) {
  installChromium(root)
  run(node, ['node_modules/playwright/cli.js', 'test', '--config', 'e2e/playwright.config.ts', ...flows])
}

function run(command, parameters) {
  const env = {
    E2E_DATABASE: 'sqlite',
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  }
  const { status } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
