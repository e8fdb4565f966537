/**
 * The self-test: requests to the public address, as an app and the browser of its user send them, with a hidden client, user and
 * session. It is not a certification.
 */
import type { Finding, SelfTestGroup } from '#lib/admin/status/finding.ts'
import { takeLease } from '#lib/admin/status/lease.ts'
import { selfTestName, selfTestRedirectUri, selfTestSubject } from '#lib/admin/status/self-test-run.ts'
import { doctor as limits } from '#lib/config/limits.ts'
import type { SecretKeeper } from '#lib/crypto/passwords/secrets.ts'
import { cookieNames } from '#lib/http/cookies.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Clock, Hashing, Random } from '#lib/ports/environment.ts'
import type { Grants } from '#lib/ports/grants.ts'
import type { Session, Sessions } from '#lib/ports/sessions.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { failure } from '../doctor/finding.ts'
import { checkAuthorization, type TestClient } from './authorization.ts'
import { checkDiscovery } from './discovery.ts'
import { type Probe, probeOf } from './probe.ts'
import { checkTokens } from './tokens.ts'

export type SelfTestPorts = {
  readonly issuer: string
  readonly meta: Pick<Meta, 'find' | 'exchange'>
  readonly sessions: Pick<Sessions, 'create' | 'end'>
  readonly grants: Pick<Grants, 'revoke'>
  readonly clock: Clock
  readonly random: Random
  readonly hashing: Hashing
  readonly secrets: Pick<SecretKeeper, 'generate' | 'digests'>
}

type Result = { readonly group: SelfTestGroup } & Finding

/** Runs the self-test. Returns `null` if one is running on any node. The client, the user, the session and all tokens end with it. */
export async function runSelfTest(ports: SelfTestPorts): Promise<readonly Result[] | null> {
  const probe = probeOf(ports.issuer)
  const { metadata, keySet, findings } = await checkDiscovery(probe, ports.issuer)
  const found = inGroup('discovery', findings)
  if (metadata.json.issuer !== ports.issuer)
    return [...found, ...inGroup('authorization', [unreachable(ports.issuer)])]
  const holder = ports.random.handle('selfTest')
  const now = ports.clock.now()
  const secret = ports.secrets.generate()
  const [digest = ''] = await ports.secrets.digests([secret], [])
  const until = secondsAfter(now, limits.selfTestSeconds)
  const end = await takeLease(ports, { name: selfTestName, holder, until, details: { digest } }, now)
  if (end === null) return null
  try {
    return [
      ...found,
      ...(await withSession(ports, { holder, secret, now, until }, client =>
        checkFlow(probe, client, { ports, keySet }),
      )),
    ]
  } finally {
    await end()
  }
}

function inGroup(group: SelfTestGroup, findings: readonly Finding[]): readonly Result[] {
  return findings.map(finding => ({ group, ...finding }))
}

function unreachable(issuer: string): Finding {
  return failure(
    'not tested',
    `The other checks were left out: this server does not answer at ${issuer}.`,
    'Run npm run doctor first.',
  )
}

type Run = {
  readonly holder: string
  readonly secret: string
  readonly now: Date
  readonly until: Date
}

/** Calls `work` with a session of the hidden user. Ends it, and revokes everything that was issued for the hidden client, in any case. */
async function withSession<T>(
  ports: SelfTestPorts,
  { holder, secret, now, until }: Run,
  work: (client: TestClient) => Promise<T>,
): Promise<T> {
  const { issuer, sessions, grants, random, hashing, clock } = ports
  const handle = random.handle('session')
  const subject = selfTestSubject(holder)
  const factor = { at: now.toISOString(), methods: ['pwd'] }
  const session: Session = {
    ...{ subject, idp: localProvider, amr: ['pwd'], acr: null, authenticatedAt: now },
    digest: hashing.digest(handle),
    sessionId: random.sessionId(),
    name: 'Self-test',
    isPersistent: false,
    ...{ createdAt: now, lastSeenAt: now, expiresAt: until, userAgent: null, address: null },
    // Two factors, for installations that require them
    details: { factors: [factor, { ...factor, methods: ['otp'] }] },
  }
  await sessions.create(session)
  try {
    return await work({
      clientId: holder,
      secret,
      issuer,
      redirectUri: selfTestRedirectUri(issuer),
      cookie: `${cookieNames(issuer).session}=${handle}`,
    })
  } finally {
    await sessions.end(session, clock.now())
    // `sessions.end` keeps offline access
    await grants.revoke({ subject, clientId: clientIdSchema.parse(holder) }, clock.now())
  }
}

async function checkFlow(
  probe: Probe,
  client: TestClient,
  {
    ports,
    keySet,
  }: { readonly ports: SelfTestPorts; readonly keySet: Parameters<typeof checkTokens>[0]['keySet'] },
): Promise<readonly Result[]> {
  const verifier = ports.random.id() + ports.random.id()
  const pkce = { verifier, challenge: ports.hashing.digest(verifier) }
  return [
    ...inGroup('authorization', await checkAuthorization(probe, client, pkce)),
    ...inGroup('tokens', await checkTokens({ probe, client, pkce, keySet })),
  ]
}
