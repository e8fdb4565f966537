/**
 * A running self-test: one row, valid for `limits.seconds`, from which its hidden client and its hidden user are derived at each
 * look-up, on every node. So both end with the row, also if the process that runs the test dies.
 */
import { z } from 'zod'
import type { RegisteredClient } from '#lib/ports/clients.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { UserService } from '#lib/ports/users.ts'
import {
  type ClientId,
  hasHandlePrefix,
  parseHandle,
  type SubjectId,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { parseJson } from '#lib/protocol/text/json-text.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'

/** The name of the row in `Meta`. It is a lease: one self-test runs at a time on all nodes. */
export const selfTestName = 'self-test'

/** `holder`: the ID of the client. `digest`: that of the client’s secret. */
const runSchema = z.object({ holder: z.string(), until: z.number(), digest: z.string() })

type RunPorts = { readonly meta: Pick<Meta, 'find'>; readonly clock: Clock }

/** Reads the running self-test with this ID; `null` if there is none. Only an ID with the prefix of a self-test is looked up. */
async function findRun({ meta, clock }: RunPorts, id: string) {
  if (parseHandle('selfTest', id) === null) return null
  const stored = await meta.find(selfTestName)
  const run = stored === null ? null : runSchema.safeParse(parseJson(stored)).data
  return run?.holder === id && run.until > clock.now().getTime() ? run : null
}

/** The redirect URI of the hidden client: an address of this server at which there is nothing, which the self-test never requests. */
export function selfTestRedirectUri(issuer: string): string {
  return ownUrl(issuer, '/admin/status/return')
}

/** Finds the hidden client of the running self-test. */
export async function findSelfTestClient(
  ports: RunPorts,
  issuer: string,
  clientId: ClientId,
): Promise<RegisteredClient | null> {
  const run = await findRun(ports, clientId)
  if (run === null) return null
  const lifetime = 60
  const client = clientFromMetadata({
    client_id: clientId,
    client_name: 'Self-test',
    redirect_uris: [selfTestRedirectUri(issuer)],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'openid offline_access',
    require_consent: false,
    pkce: 'required-s256',
    access_token_lifetime: lifetime,
    absolute_refresh_token_lifetime: lifetime,
    sliding_refresh_token_lifetime: lifetime,
  })
  return { client, secrets: [{ id: 'self-test', digest: run.digest, expiresAt: null }] }
}

const userSuffix = '.user'

/** Returns the subject of the hidden user: no subject may equal a client ID. */
export function selfTestSubject(holder: string): SubjectId {
  return subjectIdSchema.parse(`${holder}${userSuffix}`)
}

/** Whether the ID is one of a client or of a user of a self-test, also if that has ended. */
export function isOfSelfTest(id: string): boolean {
  return hasHandlePrefix('selfTest', id)
}

/**
 * Adds the hidden user of the running self-test, who has no claims. Members of the user service may use `this`, so they are bound to
 * it.
 */
export function withSelfTestUser(service: UserService, ports: RunPorts): UserService {
  const { isActive, profile } = bound(service)
  return {
    ...bound(service),
    isActive: async (subject, account) =>
      isOfSelfTest(subject) ? isRunning(ports, subject) : isActive(subject, account),
    profile: async request => (isOfSelfTest(request.subject) ? {} : profile(request)),
  }
}

async function isRunning(ports: RunPorts, subject: SubjectId): Promise<boolean> {
  const holder = subject.slice(0, -userSuffix.length)
  return selfTestSubject(holder) === subject && (await findRun(ports, holder)) !== null
}

/** Copies an object, with the members that it inherits from its class. */
function bound<T extends object>(service: T): T {
  const copy = { ...service }
  for (let from: object = service; from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      const member: unknown = Reflect.get(service, name)
      if (name === 'constructor') continue
      Reflect.set(copy, name, typeof member === 'function' ? member.bind(service) : member)
    }
  }
  return copy
}
