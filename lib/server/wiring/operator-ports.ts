/** The ports of the operator's commands, and the logging of the audit head. */
import type { OperatorPorts } from '#lib/admin/access/operator.ts'
import { plainNotice } from '#lib/core/sign-in/security-notice.ts'
import { notedCharacters } from '#lib/crypto/audit-chain.ts'
import type { MasterKeys } from '#lib/crypto/keys/master-key.ts'
import type { SecretKeeper } from '#lib/crypto/passwords/secrets.ts'
import type { Log } from '#lib/events/log.ts'
import type { AdminStore } from '#lib/ports/admin-store.ts'
import type { Ports, Settings } from '#lib/ports/ports.ts'
import type { Storage } from '#lib/storage/open.ts'
import type { CommandPorts } from '../cli/command.ts'
import { type AccountParts, noticesWithoutRequest } from './account-ports.ts'

type Opened = Pick<Ports, 'clock' | 'hashing' | 'random'> & {
  readonly storage: Storage
  /** The log that receives the end of the audit chain after each change. */
  readonly log: AuditLog
  readonly config: Settings
}

/** Builds the ports for the operator's actions, which work before the services are built. */
export function operatorPorts({ storage, clock, hashing, random, config, log }: Opened): OperatorPorts {
  const adminStore = logAuditHead(storage.adminStore, log)
  return { ...storage, adminStore, clock, hashing, random, settings: coreSettings(config) }
}

/** Selects the settings that the core reads: never the whole configuration, which contains secrets. */
export function coreSettings(config: Settings): Settings {
  return {
    issuer: config.issuer,
    refreshRetryWindowSeconds: config.refreshRetryWindowSeconds,
    accessTokenFormat: config.accessTokenFormat,
    signOutPrompt: config.signOutPrompt,
    enabledEndpoints: config.enabledEndpoints,
    localLogin: config.localLogin,
    relyingParty: config.relyingParty,
  }
}

type CommandParts = Opened &
  AccountParts & {
    readonly config: { readonly siteName: string }
    readonly masterKeys: MasterKeys
    readonly secrets: SecretKeeper
  }

/** Builds the ports of the operator's commands, including those that an import and a reset of factors need. */
export function commandPorts(opened: CommandParts): CommandPorts {
  const { storage, config, extensions, passwords, masterKeys } = opened
  const { siteName } = config
  const securityNotice = noticesWithoutRequest(opened, plainNotice)
  const customGrants = extensions.customGrants ?? []
  const operator = { ...operatorPorts(opened), masterKeys }
  const selfTest = async () => {
    const { runSelfTest } = await import('../self-test/run-self-test.ts')
    return runSelfTest({ ...opened, ...storage, issuer: config.issuer })
  }
  return { ...storage, ...operator, siteName, customGrants, passwords, securityNotice, selfTest }
}

type AuditLog = Pick<Log, 'write' | 'failure'>

/**
 * Logs the end of the audit chain after each change by an admin or the operator. With this value,
 * `npm run audit:verify -- --holds …` detects that the newest rows were deleted from the database (LG-04).
 */
export function logAuditHead(store: AdminStore, log: AuditLog): AdminStore {
  return {
    ...store,
    commit: async (change, now) => {
      const committed = await store.commit(change, now)
      if (committed.kind === 'done') await note(store, log)
      return committed
    },
  }
}

/** Logs the end of the chain. Errors are only logged, because the change is already committed. */
async function note({ audit }: AdminStore, log: AuditLog): Promise<void> {
  try {
    const head = await audit.head()
    if (head === null) return
    log.write('info', 'audit', { end: `${head.seq}:${head.hash.slice(0, notedCharacters)}` })
  } catch (error) {
    log.failure(error, { origin: 'audit_note' })
  }
}
