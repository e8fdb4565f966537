import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './env.ts'

const refused: ReadonlyArray<readonly [name: string, environment: Record<string, string>, message: RegExp]> =
  [
    [
      'a misspelt scheme',
      { DATABASE_URL: 'postgre://u:p@db/x' },
      /; the scheme is misspelt: write "postgresql:/,
    ],
    ['another misspelt scheme', { DATABASE_URL: 'postgress://u:p@db/x' }, /; the scheme is misspelt/],
    ['a scheme of SQLite', { DATABASE_URL: 'sqlite:x.db' }, /; for SQLite, write "file:" and the path\.$/],
    [
      'a bare path',
      { DATABASE_URL: '/srv/x.db' },
      /; it has no scheme; for a path, write "file:" before it\.$/,
    ],
    [
      'a file that is a URL',
      { DATABASE_URL: 'file:postgresql://db/x' },
      /; what follows "file:" is not a path\.$/,
    ],
    [
      'a password with @ and /',
      { DATABASE_URL: 'postgresql://u:a/b@db:x/y' },
      /; this one cannot be read as a URL/,
    ],
    [
      'a misspelt name of DATABASE_URL',
      { DATABASE_ULR: 'postgresql://u:p@db/x' },
      /^DATABASE_ULR is \(not shown\), but there is no such setting; did you mean "DATABASE_URL"\?$/,
    ],
  ]

for (const [name, environment, message] of refused) {
  test(`refuses ${name} in one sentence`, () => {
    assert.throws(() => readConfig(environment), { name: 'ConfigError', message })
  })
}

test('a variable with a similar name that contains a database URL is accepted with DATABASE_URL', () => {
  readConfig({ DATABASE_URL: 'postgresql://db/x', DATABASE_URL2: 'postgresql://db/y' })
  readConfig({ TEST_DATABASE_URL: 'postgresql://db/x' })
})
