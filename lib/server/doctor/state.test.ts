import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFilesFinding } from './process.ts'
import { auditFinding, keyFindings, purgeFinding } from './state.ts'

const now = new Date('2026-03-10T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const times = { now, runningSince: null }
const intact = (at: Date) => ({ at, found: { kind: 'intact', rows: 3 } }) as const
const broken = { at: ago(60), found: { kind: 'broken', seq: 7, problem: 'changed' } } as const

for (const [title, finding, severity] of [
  ['a purge within a minute is good', purgeFinding(ago(50), times), 'good'],
  ['a purge an hour ago is late', purgeFinding(ago(3600), times), 'warning'],
  [
    'a purge is not late on a server that has just started',
    purgeFinding(ago(3600), { now, runningSince: ago(5) }),
    'good',
  ],
  ['a purge that never ran is not late', purgeFinding(null, times), 'good'],
  ['an intact audit log is good', auditFinding(intact(ago(3600)), 3, times), 'good'],
  [
    'an audit log that was verified a week ago is late',
    auditFinding(intact(ago(604_800)), 3, times),
    'warning',
  ],
  ['a broken audit log is an error', auditFinding(broken, 9, times), 'error'],
  ['an installation without keys is an error', keyFindings([], now)[0], 'error'],
  [
    'a limit of 1024 files is too low',
    openFilesFinding('Max open files            1024      4096  files'),
    'warning',
  ],
  [
    'a limit of 65536 files suffices',
    openFilesFinding('Max open files            65536   65536  files'),
    'good',
  ],
] as const)
  test(`DO-06 DO-08 ${title}`, () => assert.equal(finding?.severity, severity))
