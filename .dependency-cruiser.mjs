import { globSync, readFileSync } from 'node:fs'

/** The import rules of lib/README.md, and those for `app` and `e2e`. */

/** The folders of lib that each folder may import, besides itself and `lib/config/limits.ts`. `server` may import all folders. */
const table = {
  protocol: [],
  errors: ['protocol'],
  i18n: [],
  config: ['errors', 'protocol'],
  ports: ['protocol', 'errors'],
  core: ['protocol', 'errors', 'ports'],
  identity: ['protocol', 'errors', 'ports', 'core', '@simplewebauthn/server'],
  admin: ['protocol', 'errors', 'ports'],
  import: ['protocol', 'errors', 'ports', 'admin'],
  pages: ['protocol', 'errors', 'i18n'],
  http: ['protocol', 'errors', 'i18n', 'pages'],
  storage: ['protocol', 'errors', 'ports', 'config'],
  crypto: ['protocol', 'errors', 'ports', 'config'],
  upstream: ['protocol', 'errors', 'ports', 'config'],
  backup: ['protocol', 'errors', 'ports', 'config', 'crypto', 'storage'],
  events: ['protocol', 'errors', 'ports'],
  metrics: ['protocol', 'errors', 'ports'],
  delivery: ['protocol', 'errors', 'ports', 'config', 'i18n', 'pages', 'upstream'],
}

/** The files with components that run in the browser. */
const clientComponents = globSync('app/**/*.{ts,tsx}').filter(file =>
  readFileSync(file, 'utf8').startsWith("'use client'"),
)

/** The authenticator that tests of all kinds use to create and to sign with passkeys. */
const softwareAuthenticator = '^lib/identity/passkeys/testing/authenticator\\.ts$'
// HTTP tests sign in at a local provider with the responses that each provider documents
const testProvider = '^lib/upstream/testing/provider\\.ts$'

/** Packages that each folder of lib may import. A folder that is not listed may import none. */
const packages = {
  protocol: ['zod'],
  config: ['zod'],
  identity: ['zod', '@simplewebauthn/server', 'otpauth'],
  admin: ['zod'],
  import: ['pg', 'zod'],
  i18n: ['use-intl', '@formatjs/intl-localematcher'],
  pages: ['react', 'react-dom', 'uqr'],
  http: ['react'],
  storage: [
    '@prisma/client',
    '@prisma/adapter-better-sqlite3',
    '@prisma/adapter-pg',
    '@prisma/driver-adapter-utils',
    'better-sqlite3',
    'pg',
    'zod',
  ],
  crypto: ['jose', 'node-forge', 'zod', '@zxcvbn-ts/language-common', 'bcryptjs'],
  upstream: ['jose', 'oauth4webapi', 'zod', 'ipaddr.js'],
  backup: ['zod'],
  events: ['pino'],
  delivery: ['nodemailer', 'react', 'zod'],
  server: ['next', '@hono/node-server', 'zod', 'pino', 'esbuild', '@opentelemetry/[a-z-]+'],
}

/** Folders from which a folder may import types only. */
const typesOnly = { http: ['core', 'identity', 'ports'], i18n: ['errors'] }

/** Tests, their helpers and the benchmarks of the storage may import from every folder. */
const tests = '\\.test\\.ts$|/testing/|^lib/storage/bench/'
const anywhere = '^lib/config/limits\\.ts$'
const folders = names => names.map(name => `^lib/${name}/`)
const npm = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown']

const layers = Object.entries(table).flatMap(([folder, allowed]) => {
  const asTypes = typesOnly[folder] ?? []
  const generated = folder === 'storage' ? ['^prisma/'] : []
  return [
    rule(`${folder}-imports`, {
      from: { path: `^lib/${folder}/`, pathNot: tests },
      to: {
        path: '^(lib|app|prisma|e2e)/',
        pathNot: [anywhere, ...folders([folder, ...allowed, ...asTypes]), ...generated],
      },
    }),
    ...(asTypes.length === 0
      ? []
      : [
          rule(`${folder}-imports-types-only`, {
            from: { path: `^lib/${folder}/`, pathNot: tests },
            to: {
              path: folders(asTypes),
              pathNot: [anywhere, ...folders([folder, ...allowed])],
              dependencyTypesNot: ['type-only'],
            },
          }),
        ]),
  ]
})

const thirdParty = [...Object.keys(table), 'server'].map(folder =>
  rule(`${folder}-packages`, {
    from: { path: `^lib/${folder}/`, pathNot: tests },
    to: { dependencyTypes: npm, pathNot: (packages[folder] ?? []).map(name => `^node_modules/${name}/`) },
  }),
)

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    rule('no-cycles', { from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } }),
    rule('no-unresolved', { from: { pathNot: '^e2e/' }, to: { couldNotResolve: true } }),
    ...layers,
    rule('limits-are-a-leaf', {
      from: { path: '^lib/config/limits(/|\\.ts$)' },
      to: { pathNot: '^lib/config/limits/' },
    }),
    ...thirdParty,
    rule('pure-core', {
      from: { path: '^lib/(core|ports|errors)/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    }),
    rule('pure-protocol', {
      from: { path: '^lib/protocol/', pathNot: [tests, '^lib/protocol/pkce\\.ts$'] },
      to: { dependencyTypes: ['core'] },
    }),
    rule('only-the-server-reads-routes', {
      from: { path: '^(lib|prisma|e2e)/', pathNot: [tests, '^lib/server/'] },
      to: { path: '^app/' },
    }),
    rule('the-server-reads-routes-only', {
      from: { path: '^lib/server/' },
      to: { path: '^app/', pathNot: '/route\\.ts$' },
    }),
    rule('app-imports', {
      from: { path: '^app/', pathNot: tests },
      to: {
        path: '^(lib|prisma|e2e)/',
        pathNot: [
          anywhere,
          '^lib/server/(services|readiness|host/page-outcome)\\.ts$',
          ...folders(['http', 'pages', 'i18n', 'protocol', 'errors', 'admin', 'identity', 'core']),
        ],
      },
    }),
    // Client components may import code of `protocol`, but only types of the other folders of lib
    rule('browser-script-imports', {
      from: {
        path: clientComponents.map(file => `^${RegExp.escape(file)}$`),
      },
      to: { path: '^lib/', pathNot: ['^lib/protocol/'], dependencyTypesNot: ['type-only'] },
    }),
    rule('app-packages', {
      from: { path: '^app/', pathNot: [tests, '^app/scripts/'] },
      to: {
        dependencyTypes: npm,
        pathNot: ['^node_modules/(next|react|react-dom|zod)/', '^node_modules/@types/'],
      },
    }),
    rule('browser-script-packages', {
      from: { path: '^app/scripts/' },
      to: { dependencyTypes: npm, pathNot: ['^node_modules/@simplewebauthn/browser/'] },
    }),
    rule('black-box', {
      from: { path: '^e2e/' },
      to: {
        path: '^(lib|app|prisma)/',
        pathNot: [
          '^lib/storage/testing/postgres\\.ts$',
          // HTTP tests run the snippets of the dashboard unchanged
          '^lib/admin/clients/snippets/snippets\\.ts$',
          // HTTP tests try every cell of the permission tables, and change stored rows
          '^lib/admin/(access/permissions|api/routes|use-cases)\\.ts$',
          '^lib/storage/database\\.ts$',
          softwareAuthenticator,
          testProvider,
          // HTTP tests sign in with old hashes, as an import stores them
          '^lib/(protocol/registration/exported-hashes\\.ts|crypto/testing/(imported-hashes|exported-users)\\.json)$',
          // Tests store sealed values as the server does
          '^lib/crypto/keys/(sealing|data-keys)\\.ts$',
        ],
      },
    }),
    rule('black-box-fixtures-only', {
      from: { path: '^e2e/', pathNot: '^e2e/fixtures/' },
      to: { path: '^(lib|app|prisma)/', pathNot: [softwareAuthenticator, testProvider] },
    }),
    rule('no-development-packages-at-run-time', {
      from: { path: '^(lib|app|prisma)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    }),
  ],
  required: [
    {
      name: 'FW-02 every route handler goes through endpoint()',
      severity: 'error',
      module: { path: '^app/(.*/route\\.tsx?|routes\\.ts)$' },
      to: {
        path: '^(lib/http/endpoint|app/(routes|_ui/(hosted-route|passkey-options)|admin/csv-export))\\.ts$',
      },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^prisma/generated'] },
    exclude: { path: ['^prisma/generated/.*/internal', '^\\.next', '^prisma/.*/migrations'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}

function rule(name, { from, to }) {
  return { name, severity: 'error', from, to }
}
