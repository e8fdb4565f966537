/** Wires the ports to their adapters. */
import { withBuiltIns } from '#lib/admin/access/built-in.ts'
import { withOpenedSecrets } from '#lib/crypto/keys/sealing.ts'
import { createEvents, logSink } from '#lib/events/events.ts'
import { standardUserService } from '#lib/identity/standard-user-service.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { createUpstream } from '#lib/upstream/oidc-client.ts'
import type { Resources } from './resources.ts'

/** The ports of one process, as its configuration and extensions shape them. */
export function buildPorts(resources: Resources): Ports {
  const { config, storage, extensions, passwords, clock, log } = resources
  const standard = standardUserService({ ...resources, users: storage.users })
  return {
    ...storage,
    ...withBuiltIns(storage, config),
    providers: withOpenedSecrets(storage.providers, resources.sealing),
    settings: {
      issuer: config.issuer,
      refreshGraceSeconds: config.refreshGraceSeconds,
    },
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
