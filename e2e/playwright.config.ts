import { defineConfig } from 'playwright/test'
import type { LatchkeyOptions } from './fixtures/browser/browser.ts'
import { findChromium } from './fixtures/browser/chromium.mjs'

/**
 * Each window would render the list below the address bar twice, which costs more than most tests. The last of these
 * switches counts, so the switches that Playwright sets for tests are repeated here.
 */
const unwantedFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
]

/** Flows on both databases. Each worker starts its own servers; see `fixtures/browser/browser.ts`. */
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
        `--disable-features=${unwantedFeatures.join()}`,
        '--disable-sync',
        '--no-first-run',
      ],
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
  projects: [
    // Everyday jobs are done by keyboard on the one, and by pointer on the other
    { name: 'sqlite', use: { databaseKind: 'sqlite' }, testIgnore: /admin-jobs\.spec\.ts$/ },
    // What pages look like, and how they are used, does not depend on the database. Forms are sent to both over HTTP.
    {
      name: 'postgresql',
      use: { databaseKind: 'postgresql' },
      testIgnore:
        /(accessibility|behavior|palette|keyboard|scripts|forms|client-test|password-managers|\/admin)\.spec\.ts$/,
    },
  ],
})
