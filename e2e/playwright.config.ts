import { defineConfig } from 'playwright/test'
import type { LatchkeyOptions } from './fixtures/browser/browser.ts'
import { findChromium } from './fixtures/browser/chromium.mjs'

/**
 * Chromium features to disable. The `WebUIOmnibox…` features render the suggestions of the address bar twice in each window,
 * which takes more time than most tests. Chromium uses only the last `--disable-features`, so the list of Playwright is repeated
 * here.
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

/** Runs flows on both databases. Each worker starts separate servers; see `fixtures/browser/browser.ts`. */
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
    // Recording a trace takes a third of the time of a run
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
    // On SQLite everyday jobs are done only by keyboard, and on PostgreSQL by pointer
    { name: 'sqlite', use: { databaseKind: 'sqlite' }, testIgnore: /admin-jobs\.spec\.ts$/ },
    // Flows about the look and the use of pages run on SQLite only. HTTP tests send the forms on both databases.
    {
      name: 'postgresql',
      use: { databaseKind: 'postgresql' },
      testIgnore:
        /(accessibility|behavior|palette|keyboard|scripts|forms|client-test|password-managers|\/admin)\.spec\.ts$/,
    },
  ],
})
