/** Tests that a replaced value is not left in the free space of a SQLite file. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '#prisma/migrate.ts'
import { openStorage } from '../open.ts'
import { auditHash } from '../testing/host.ts'
import { now, sampleAuditEntry } from '../testing/samples.ts'

for (const length of [400, 40_000]) {
  test(`MK-02 a replaced value of ${length} characters is overwritten in the SQLite file`, async t => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-overwritten-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const location = { kind: 'sqlite', file: join(folder, 'latchkey.db') } as const
    await migrate(location)
    const storage = await openStorage(location, auditHash)
    const from = 'earlier-wrapped-key;'.repeat(length / 20)
    await storage.meta.replace('before', 'x')
    await storage.meta.replace('keys', from)
    await storage.meta.replace('after', 'x')
    const write = { kind: 'replace_value', name: 'keys', from, to: 'later' } as const
    const audit = [sampleAuditEntry({ targetId: 'keys' })]
    assert.equal((await storage.adminStore.commit({ writes: [write], audit }, now)).kind, 'done')
    await storage.close()
    for (const file of readdirSync(folder))
      assert.equal(readFileSync(join(folder, file)).includes('earlier-wrapped-key'), false, file)
  })
}
