/** The dashboard's ports, from this process's resources. */
import { boundedFlashes } from '#lib/admin/access/bounded-flashes.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { passwordProblem } from '#lib/crypto/passwords/passwords.ts'
import { finishTrial, startTrial } from '#lib/identity/trial-sign-in.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { clientTestCalls } from './client-test-calls.ts'
import { logAuditHead } from './log-audit-head.ts'
import { redeemOwnCode } from './redeem-own-code.ts'
import type { Resources } from './resources.ts'

export function buildAdminPorts(resources: Resources, ports: Ports): AdminPorts {
  const { storage, config, keyRing, secrets } = resources
  return {
    ...ports,
    siteName: config.siteName,
    adminStore: logAuditHead(storage.adminStore, resources.log),
    adminLists: storage.adminLists,
    administrators: storage.administrators,
    adminSessions: storage.adminSessions,
    adminInvitations: storage.adminInvitations,
    adminFlashes: boundedFlashes(storage.adminFlashes, ports.clock),
    configuration: storage.configuration,
    meta: storage.meta,
    signingKeys: storage.signingKeys,
    keyRotation: keyRing,
    eventLog: storage.eventLog,
    rollUps: storage.rollUps,
    databaseStatus: storage.databaseStatus,
    flushEvents: resources.eventBuffer.flush,
    redeem: redeemOwnCode(ports),
    trials: {
      start: trial => startTrial(ports, trial),
      finish: trial => finishTrial(ports, trial),
    },
    clientTestCalls: clientTestCalls(ports),
    passwordProblem,
    secretKeeper: secrets,
  }
}
