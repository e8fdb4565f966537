/**
 * `npm run audit:verify`: checks the chain of audit rows and prints the first row that was changed or is missing. It
 * only reads, so a server may be running.
 */
import '../start/restrict-new-files.mjs'
import { type Config, readConfig } from '#lib/config/env.ts'
import {
  type AuditVerification,
  createAuditHash,
  type End,
  notedCharacters,
  verifyAuditChain,
} from '#lib/crypto/audit-chain.ts'
import { openDataKeys } from '#lib/crypto/keys/data-keys.ts'
import { loadMasterKeys } from '#lib/crypto/keys/master-key.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { findMeta, openAuditTrail } from '#lib/storage/open-audit-trail.ts'
import { readArguments, refuseArguments, runCommandLine } from './command-line.ts'
import { refuse, say } from './command-output.ts'

const problems = {
  changed: (seq: number) => `change ${seq} was edited or moved`,
  missing: (seq: number) => `change ${seq} is missing`,
  end: (seq: number) => `change ${seq} is the last one, but the stored end of the chain is different`,
  noted: (seq: number) => `change ${seq} does not match --holds`,
} as const

const usage = `Usage: npm run audit:verify -- [--holds <number>:<digest>]

Checks the audit log. It only reads, so a server may be running.

  --holds   Also checks that the log has this end, which the log of the server or
            an earlier run has printed, so that deleted rows are found.

Exits with 0 if the audit log is intact, 1 if it is not, 2 when it cannot be read
or the command or a setting is wrong.
`

process.exitCode = await runCommandLine({ usage, run, report: reportFailure })

async function run(given: readonly string[]): Promise<number> {
  const verified = await verify(readConfig(process.env), readRecordedEnd(given))
  say(`${sentences(verified)}\n`)
  return verified.kind === 'intact' ? 0 : 1
}

/** Parses `--holds 17:wVf3…`. */
function readRecordedEnd(given: readonly string[]): End | undefined {
  const recorded = readArguments(given, { holds: { type: 'string' } }).values.holds
  if (recorded === undefined) return undefined
  const [, seq, hash] = /^(\d{1,9}):([\w-]{16,43})$/.exec(recorded) ?? []
  if (seq === undefined || hash === undefined)
    return refuseArguments('--holds needs a number and a digest, such as 17:wVf3kZq0c8JmB2xA.')
  return { seq: Number(seq), hash }
}

async function verify(config: Config, noted: End | undefined): Promise<AuditVerification> {
  const { audit, meta, close } = await openAuditTrail(config.database)
  try {
    const masterKeys = await loadMasterKeys(config, name => findMeta(config.database, name))
    const { keys } = await openDataKeys(masterKeys, meta)
    return await verifyAuditChain(audit, createAuditHash(keys.audit), noted)
  } finally {
    await close()
  }
}

function sentences(verified: AuditVerification): string {
  if (verified.kind === 'intact') {
    const { rows, hash } = verified
    const end = `${rows}:${hash.slice(0, notedCharacters)}`
    const note =
      rows === 0
        ? ''
        : `\nThe end is ${end}; a later run with --holds ${end} detects whether rows were deleted.`
    const written = rows === 1 ? '1 change, as it was written' : `${rows} changes, each as it was written`
    return `Intact: ${written}.${note}`
  }
  const { seq, problem } = verified
  return `Broken: ${problems[problem](seq)}. All before it is as it was written.`
}

function reportFailure(error: unknown): number {
  const reason = error instanceof Error ? error.message : 'for an unknown reason'
  return refuse(`${isConfigError(error) ? reason : `The audit trail cannot be read: ${reason}`}\n`, 2)
}
