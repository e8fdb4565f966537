import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { send } from '../fixtures/requests/http-client.ts'
import { sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()

describe('WF-12 source files, settings and data are not served', () => {
  const paths = [
    '/.env',
    '/.env.local',
    '/.git/config',
    '/.git/HEAD',
    '/.gitignore',
    '/package.json',
    '/package-lock.json',
    '/tsconfig.json',
    '/next.config.ts',
    '/biome.json',
    '/prisma/schema.prisma',
    '/data/latchkey.db',
    '/data/latchkey.sqlite',
    '/latchkey.db',
    '/data/',
    '/config.json',
    '/lib/server/main.ts',
    '/app/page.tsx',
    '/node_modules/next/package.json',
    '/.next/BUILD_ID',
    '/.next/build-manifest.json',
    '/.next/server/app/page.js',
    '/_next/static/../../BUILD_ID',
    '/_next/static/..%2f..%2fBUILD_ID',
    '/_next/../.env',
    '/%2e%2e/.env',
    '/..%2f.env',
    '/static/../../.env',
    '/enhance.js/../../.env',
    '/enhance.js.map',
    '/server.js',
    '/Dockerfile',
    '/docker-compose.yml',
    '/.npmrc',
    '/.ci/run',
    '/README.md',
    '/LICENSE',
    '/.DS_Store',
    '/.well-known/',
    '/.well-known/../.env',
    '/.svn/entries',
    '/backup.sql',
    '/dump.sql',
    '/id_rsa',
    '/master.key',
    '/data/master.key',
    '/.vscode/settings.json',
    '/trace',
    '/debug',
    '/metrics',
    '/_next/static/chunks/main.js.map',
    '/__nextjs_original-stack-frame',
    '/_next/webpack-hmr',
    '/_next/hmr',
    '/api',
    '/administrator',
    '/phpinfo.php',
    '/server-status',
    '/actuator',
    '/.aws/credentials',
  ]
  for (const path of paths) {
    test(`WF-12 ${path} is not served`, async () => {
      const answer = await send(latchkey.issuer, path)
      assert.ok([301, 308, 400, 403, 404].includes(answer.status), `${answer.status}`)
      assert.ok(!answer.text.includes('"dependencies"'))
    })
  }
})
