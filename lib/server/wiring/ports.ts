/** Connects the ports to their adapters. */

import { withBuiltIns } from '#lib/admin/access/built-in.ts'
import { boundedPageStates } from '#lib/admin/access/page-state.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { withOpenedSecrets } from '#lib/crypto/keys/sealing.ts'
import { passwordProblem } from '#lib/crypto/passwords/passwords.ts'
import { createEvents, logSink } from '#lib/events/events.ts'
import { finishProviderTest, startProviderTest } from '#lib/identity/provider-test.ts'
import { standardUserService } from '#lib/identity/standard-user-service.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { createUpstream } from '#lib/upstream/oidc-client.ts'
import { logAuditHead } from './operator-ports.ts'
import { clientTestCalls, redeemOwnCode } from './own-client-calls.ts'
import type { Resources } from './resources.ts'

/** The ports of this process, as its configuration and extensions require. */
export function buildPorts(resources: Resources): Ports {
  const { config, storage, extensions, passwords, clock, log } = resources
  const standard = standardUserService({ ...resources, users: storage.users })
  return {
    ...storage,
    ...withBuiltIns(storage, config),
    providers: withOpenedSecrets(storage.providers, resources.sealing),
    settings: { issuer: config.issuer, refreshGraceSeconds: config.refreshGraceSeconds },
    clock,
    random: resources.random,
    hashing: resources.hashing,
    sealing: resources.sealing,
    secrets: resources.secrets,
    passwords,
    signer: resources.keyRing.signer,
    userService: extensions.userService?.(storage.users, standard) ?? standard,
    customGrants: extensions.customGrants ?? [],
    tokenClaims: extensions.tokenClaims ?? [],
    upstream: createUpstream({ allowLoopback: config.isLoopback, clock }),
    events: createEvents(
      [logSink(log), resources.eventBuffer, ...(extensions.eventSinks ?? [])],
      clock,
      error => log.failure(error, { origin: 'event_sink' }),
    ),
  }
}

/** In addition, the ports of the dashboard's use cases. */
export function buildAdminPorts(resources: Resources, ports: Ports): AdminPorts {
  const { storage, config, keyRing, secrets } = resources
  return {
    ...storage,
    ...ports,
    siteName: config.siteName,
    adminStore: logAuditHead(storage.adminStore, resources.log),
    adminFlashes: boundedPageStates(storage.adminFlashes, ports.clock),
    keyRotation: keyRing,
    flushEvents: resources.eventBuffer.flush,
    redeem: redeemOwnCode(ports),
    providerTests: {
      start: test => startProviderTest(ports, test),
      finish: test => finishProviderTest(ports, test),
    },
    clientTestCalls: clientTestCalls(ports),
    passwordProblem,
    secretKeeper: secrets,
  }
}
