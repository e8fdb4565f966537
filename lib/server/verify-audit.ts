/**
 * `npm run audit:verify`: walks the chain of audit rows and names the first that is not what was written. Reads alone, so
 * that it may run beside a server.
 */
import { readConfig } from '#lib/config/env.ts'
import { createAuditHash, verifyAuditChain } from '#lib/crypto/audit-chain.ts'
import { loadMasterKey } from '#lib/crypto/master-key.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { openAuditTrail } from '#lib/storage/open-audit-trail.ts'

process.exitCode = await main().catch(reportFailure)

/** 0: intact; 1: broken; 2: it could not be read. */
async function main(): Promise<number> {
  const config = readConfig(process.env)
  const hash = createAuditHash(await loadMasterKey(config))
  const { audit, close } = openAuditTrail(config.database)
  try {
    const verified = await verifyAuditChain(audit, hash)
    if (verified.kind === 'intact') return say(`Intact: ${verified.rows} changes, each as it was written.`, 0)
    return say(`Broken at change ${verified.seq}: ${verified.problem}.`, 1)
  } finally {
    await close()
  }
}

function reportFailure(error: unknown): number {
  const text = error instanceof Error ? error.message : 'The audit trail cannot be read.'
  process.stderr.write(`${isConfigError(error) ? text : `The audit trail cannot be read: ${text}`}\n`)
  return 2
}

function say(text: string, code: number): number {
  process.stdout.write(`${text}\n`)
  return code
}
