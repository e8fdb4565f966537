/** Sets up tests of sign-in: a user, a browser, and a completed form. */
import { savePending } from '#lib/core/authorize/pending.ts'
import { issuer, openTestPorts, type TestPorts } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { UserService } from '#lib/ports/users.ts'
import type { BrowserHandle, PendingHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import type { SignInInput } from '../sign-in.ts'

export const alicePassword = 'correct horse battery staple'

export type TestSignIn = TestPorts & {
  readonly browser: BrowserHandle
}

/** Opens fresh ports with the user `alice`. The test must close them. */
export async function openTestSignIn(replaced: Partial<Ports> = {}): Promise<TestSignIn> {
  const opened = await openTestPorts(replaced)
  await opened.addUser('alice', { password: alicePassword, claims: { name: 'Alice Ames', role: 'admin' } })
  return { ...opened, browser: opened.ports.random.handle('browser') }
}

export function form(changes: Partial<SignInInput> = {}): SignInInput {
  return {
    username: 'alice',
    password: alicePassword,
    remember: false,
    pending: null,
    browser: null,
    previous: [],
    knownBrowser: null,
    ...changes,
  }
}

/** Stores a pending request of a client for this browser. */
export async function pendingRequest(
  { ports, browser }: TestSignIn,
  client: Client,
  parameters: Readonly<Record<string, string>> = {},
): Promise<{ pending: PendingHandle; browser: BrowserHandle }> {
  const asked = {
    client_id: client.clientId,
    response_type: 'code',
    scope: 'openid api',
    redirect_uri: client.redirectUris[0] ?? issuer,
    ...parameters,
  }
  const pending = await savePending(ports, { parameters: asked, browser })
  return { pending, browser }
}

/** Makes a user service without a store and without hashing. */
export function instantUserService(authenticate: UserService['authenticate']): UserService {
  const refusal = { kind: 'refused', message: null } as const
  return {
    authenticate,
    authenticateExternal: async () => refusal,
    completePartial: async () => refusal,
    profile: async () => ({}),
    isActive: async () => true,
    canonicalUsername: async username => canonicalUsername(username),
  }
}
