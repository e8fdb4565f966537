/** The services for routes and pages of this process: its settings, and the ports, connected to their adapters. */

import { boundedPageStates } from '#lib/admin/access/bounded-page-states.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { Requester } from '#lib/admin/clients/client-test/hidden-client.ts'
import { withSelfTestUser } from '#lib/admin/status/self-test-run.ts'
import { addressNotice, plainNotice } from '#lib/core/sign-in/security-notice.ts'
import { withOpenedSecrets } from '#lib/crypto/keys/sealing.ts'
import { readMailFolder } from '#lib/delivery/mail/mail-folder.ts'
import { createEvents, logSink } from '#lib/events/events.ts'
import { hasStampingHost } from '#lib/http/request-context.ts'
import { leavingUsers } from '#lib/identity/account-deletion/leaving-users.ts'
import { noteDevice } from '#lib/identity/new-devices.ts'
import { canceledNotice } from '#lib/identity/planned-changes.ts'
import { finishProviderTest, startProviderTest } from '#lib/identity/provider-test.ts'
import { signInSteps } from '#lib/identity/sign-in-steps.ts'
import { limitsOfUser } from '#lib/identity/user-limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ClientId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { createUpstream } from '#lib/upstream/oidc-client.ts'
import { requireKnownAddresses } from './host/admin-allow-list.ts'
import { workersOfNode } from './readiness.ts'
import { runSelfTest } from './self-test/run-self-test.ts'
import { mailState, managedUsers, openUserService } from './wiring/account-ports.ts'
import { adminCaller } from './wiring/admin-caller.ts'
import { forAuthorization, withOwnRegistrations, withSelfTestMarks } from './wiring/client-lookup.ts'
import {
  guardCustomGrants,
  guardHooks,
  guardLegacyVerify,
  hasGuarded,
  withinRequest,
} from './wiring/guard-hooks.ts'
import { withKeysInUse } from './wiring/key-maintenance.ts'
import { providerMeter, tracedHooks, tracedSigner } from './wiring/measured-work.ts'
import { coreSettings, logAuditHead } from './wiring/operator-ports.ts'
import { clientTestCalls, redeemOwnCode } from './wiring/own-client-calls.ts'
import { type Resources, resources } from './wiring/resources.ts'

export type Services = ReturnType<typeof createServices>

let wired: Promise<Services> | undefined

/** Opens the process's resources on first use. Next has its own copy of this module, which creates its own ports. */
export function openServices(): Promise<Services> {
  wired ??= resources().then(createServices)
  return wired
}

function createServices(opened: Resources) {
  const { config, log, sealing, storage } = opened
  requireKnownAddresses(config, hasStampingHost())
  const ports = buildPorts(opened)
  const admin = buildAdminPorts(opened, ports)
  /** The ports for the authorization endpoint: see `wiring/client-lookup.ts`. */
  const authorizationPorts = (requester: Requester, clientId?: ClientId) =>
    forAuthorization(ports, { adminPageStates: storage.adminPageStates, requester, clientId })
  return {
    config,
    log,
    sealing,
    adminSecondFactorFrom: opened.adminSecondFactorFrom,
    noteDevice: noteDevice(ports),
    events: ports.events,
    metrics: opened.metrics,
    tracing: opened.traces?.requests,
    withinRequest: hasGuarded(ports, opened.extensions) ? withinRequest : undefined,
    ping: () => storage.ping(),
    allowsOrigin: (origin: string) => ports.clients.allowsOrigin(origin),
    /** The ports for the functions of `core` and `identity`. */
    ports,
    authorizationPorts,
    /**
     * The ports for the pages of the authorization endpoint: their pending request is bound to the browser, and an
     * earlier step checked the session if the client is a hidden one.
     */
    pendingPorts: () => authorizationPorts('accepted'),
    /** Returns the mails that were written to files and not sent, newest first. */
    storedMails: () =>
      config.mail.kind === 'folder' ? readMailFolder(config.mail.folder) : Promise.resolve([]),
    /** The ports for the use cases of the dashboard. */
    admin,
    adminCaller: (authorization: string | null, context: RequestContext) =>
      adminCaller(admin, authorization, context),
  }
}

/** Builds the ports of this process according to its configuration and extensions. */
function buildPorts(opened: Resources): Ports {
  const { config, storage, extensions, passwords, clock, log } = opened
  const report: Parameters<typeof guardHooks>[1] = (error, failed) =>
    log.failure(error, { origin: 'extension', ...failed })
  return {
    ...storage,
    ...withOwnRegistrations(storage, {
      ...config,
      meta: storage.meta,
      clock,
      adminSecondFactorFrom: opened.adminSecondFactorFrom,
    }),
    providers: withOpenedSecrets(storage.providers, opened.sealing),
    settings: coreSettings(config),
    clock,
    afterwards: opened.afterwards.run,
    random: opened.random,
    hashing: opened.hashing,
    sealing: opened.sealing,
    secrets: opened.secrets,
    passwords,
    signer: tracedSigner(opened.keyRing.signer, opened.traces),
    userService: withSelfTestUser(openUserService(opened, guardLegacyVerify(extensions, report)), {
      ...storage,
      clock,
    }),
    leavingUsers: leavingUsers(storage.plannedChanges, clock),
    managedUsers: managedUsers(storage),
    signInSteps,
    signInFields: extensions.signInFields ?? [],
    customGrants: guardCustomGrants(extensions.customGrants ?? [], report),
    tokenClaims: extensions.tokenClaims ?? [],
    hooks: tracedHooks(guardHooks(extensions, report), opened.traces),
    upstream: createUpstream({
      allowLoopback: config.isLoopback,
      clock,
      measure: providerMeter(opened),
      traceHeaders: opened.traces?.headers,
    }),
    mail: mailState(config),
    trace: opened.traces?.ports,
    countIssued: opened.metrics?.countIssued,
    events: withSelfTestMarks(
      createEvents(
        [
          logSink(log),
          opened.eventBuffer,
          ...(opened.metrics?.sinks ?? []),
          ...(extensions.eventSinks ?? []),
        ],
        clock,
        (error, requestId) => log.failure(error, { origin: 'event_sink', requestId }),
      ),
    ),
  }
}

/** Adds the ports of the dashboard's use cases. */
function buildAdminPorts(opened: Resources, ports: Ports): AdminPorts {
  const { storage, config, keyRing, log, secrets } = opened
  return {
    ...storage,
    ...ports,
    siteName: config.siteName,
    // A change is stored, the end of the audit chain is logged, and then the signing keys that it needs are made
    adminStore: withKeysInUse(
      logAuditHead(storage.adminStore, log),
      { keyRing, events: ports.events },
      error => log.failure(error, { origin: 'keys' }),
    ),
    adminPageStates: boundedPageStates(storage.adminPageStates, ports.clock),
    keyRotation: keyRing,
    flushEvents: opened.eventBuffer.flush,
    redeem: redeemOwnCode(ports),
    providerTests: {
      start: test => startProviderTest(ports, test),
      finish: test => finishProviderTest(ports, test),
    },
    clientTestCalls: clientTestCalls(ports),
    limitsOfUser,
    securityNotice: (...notice) => plainNotice(ports, ...notice),
    canceledNotice: change => canceledNotice(ports, change),
    addressNotice: changed => addressNotice(ports, changed),
    secretKeeper: secrets,
    examine: opened.examine,
    selfTest: () => runSelfTest({ ...ports, secrets, meta: storage.meta, issuer: config.issuer }),
    release: async () => ({ version: opened.version, workers: workersOfNode() ?? null }),
  }
}
