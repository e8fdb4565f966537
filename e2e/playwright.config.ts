import { defineConfig } from 'playwright/test'
import type { LatchkeyOptions } from './fixtures/browser.ts'
import { findChromium } from './fixtures/chromium.mjs'

/** The same flows on both databases. Each worker starts its own servers; see `fixtures/browser.ts`. */
export default defineConfig<object, LatchkeyOptions>({
  testDir: 'flows',
  outputDir: '../test-results/flows',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: '../test-results/flows.json' }]],
  use: {
    locale: 'en-GB',
    // Recording costs a third of the time
    trace: process.env.E2E_TRACE === undefined ? 'off' : 'retain-on-failure',
    launchOptions: {
      ...findChromium(),
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
  projects: [
    { name: 'sqlite', use: { databaseKind: 'sqlite' } },
    // What pages look like, and how they are used, does not depend on the database.
    {
      name: 'postgresql',
      use: { databaseKind: 'postgresql' },
      testIgnore: /(accessibility|behaviour|keyboard|scripts)\.spec\.ts$/,
    },
  ],
})
