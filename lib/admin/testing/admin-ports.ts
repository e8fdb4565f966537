/** Real ports for tests of use cases: the ports of `core/testing/ports.ts`, and administrators. */
import assert from 'node:assert/strict'
import { addressNotice, plainNotice } from '#lib/core/sign-in/security-notice.ts'
import { context, openTestPorts, type TestPorts } from '#lib/core/testing/ports.ts'
import { cheapHashing } from '#lib/core/testing/registrar.ts'
import { withOpenedSecrets } from '#lib/crypto/keys/sealing.ts'
import { createSecretHashing, createSecrets } from '#lib/crypto/passwords/secrets.ts'
import { canceledNotice } from '#lib/identity/planned-changes.ts'
import { finishProviderTest, startProviderTest } from '#lib/identity/provider-test.ts'
import { limitsOfUser } from '#lib/identity/user-limits.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { withOwnRegistrations } from '#lib/server/wiring/client-lookup.ts'
import { clientTestCalls, redeemOwnCode } from '#lib/server/wiring/own-client-calls.ts'
import { appointSubject } from '../access/operator.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { AdminResult } from '../admin-result.ts'
import type { Actor, Caller, UseCase } from '../use-case.ts'

const siteName = 'Harbour'

export type AdminTestPorts = TestPorts & {
  readonly ports: AdminPorts
  /** Creates an administrator with this role and a fresh sign-in. */
  readonly actor: (role: AdminRole) => Promise<Actor>
  /** Creates an administrator and returns it as a caller of use cases. */
  readonly caller: (role: AdminRole) => Promise<Caller>
}

/** Calls a use case with untyped input, as forms and the API do. */
export function callUntyped(
  useCase: UseCase,
  ports: AdminPorts,
  raw: unknown,
  caller: Caller,
): Promise<AdminResult<unknown>> {
  return useCase.call(ports, raw, caller)
}

/** New ports with the scopes of the core's tests and without users. Close them after use. */
export async function openAdminTestPorts(): Promise<AdminTestPorts> {
  const opened = await openTestPorts()
  const ports = adminPorts(opened)
  let users = 0
  const actor = async (role: AdminRole): Promise<Actor> => {
    users += 1
    const { subject } = await opened.addUser(`${role}-${users}`)
    assert.equal(await appointSubject(ports, { subject, role }, 'start'), 'done')
    return { subject, role, authenticatedAt: ports.clock.now() }
  }
  return { ...opened, ports, actor, caller: async role => ({ actor: await actor(role), context }) }
}

function adminPorts({ ports: core, storage, keyRing }: TestPorts): AdminPorts {
  const { settings } = core
  const providers = withOpenedSecrets(core.providers, core.sealing)
  const ports = {
    ...core,
    ...withOwnRegistrations(core, {
      ...settings,
      siteName,
      meta: storage.meta,
      clock: core.clock,
      adminSecondFactorFrom: null,
    }),
    providers,
  }
  return {
    ...ports,
    siteName,
    adminStore: storage.adminStore,
    adminLists: storage.adminLists,
    administrators: storage.administrators,
    adminSessions: storage.adminSessions,
    adminInvitations: storage.adminInvitations,
    adminPageStates: storage.adminPageStates,
    configuration: storage.configuration,
    meta: storage.meta,
    signingKeys: storage.signingKeys,
    keyRotation: keyRing,
    eventLog: storage.eventLog,
    aggregates: storage.aggregates,
    databaseStatus: storage.databaseStatus,
    outbox: storage.outbox,
    mail: { kind: 'folder', folder: 'mail' },
    examine: async () => [],
    selfTest: async () => [],
    release: async () => ({ version: '0.0.0', workers: null }),
    limitsOfUser,
    securityNotice: (...notice) => plainNotice(core, ...notice),
    canceledNotice: change => canceledNotice(core, change),
    addressNotice: changed => addressNotice(core, changed),
    flushEvents: async () => {},
    redeem: redeemOwnCode(ports),
    providerTests: {
      start: test => startProviderTest(ports, test),
      finish: test => finishProviderTest(ports, test),
    },
    clientTestCalls: clientTestCalls(ports),
    secretKeeper: createSecrets(createSecretHashing(cheapHashing)),
  }
}
