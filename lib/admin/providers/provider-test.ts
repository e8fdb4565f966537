/** A test sign-in at an identity provider. It creates no session; its result is shown to the admin. */

import { z } from 'zod'
import { type ProviderFailure, providerFailureSentence } from '#lib/errors/provider-failures.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { type Digest, providerSchemeSchema } from '#lib/protocol/ids.ts'
import { nameOfUser } from '#lib/protocol/text/user-names.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { notFound, ok } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'

/** A running test. `adminSession` is the digest of the session that started it; only this session can complete it. */
type ProviderTest = { readonly scheme: string; readonly adminSession: Digest }

/** The test sign-ins that `lib/identity/provider-test.ts` makes. */
export type ProviderTests = {
  readonly start: (
    test: ProviderTest,
  ) => Promise<
    | { readonly kind: 'redirect'; readonly url: string }
    | { readonly kind: 'unknown_provider' }
    | { readonly kind: 'failed'; readonly failure: ProviderFailure }
  >
  readonly finish: (
    test: ProviderTest & { readonly parameters: Readonly<Record<string, string>> },
  ) => Promise<
    | { readonly kind: 'identity'; readonly identity: ExternalIdentity }
    | { readonly kind: 'expired' }
    | { readonly kind: 'failed'; readonly failure: ProviderFailure }
  >
}

const testSchema = z.object({ scheme: providerSchemeSchema })

const shownIdentitySchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  authenticated_at: z.string().nullable(),
  claims: z.record(z.string(), jsonValueSchema),
  /** The user name of the account that is linked to this identity; `null` if there is none. */
  username: z.string().nullable(),
  /** The display name of that account; `null` without the account or a name. */
  name: z.string().nullable(),
})

export const providerTestResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('received'), scheme: z.string(), identity: shownIdentitySchema }),
  z.object({ kind: z.literal('failed'), scheme: z.string(), sentence: z.string() }),
])

export type ProviderTestResult = z.infer<typeof providerTestResultSchema>

export const startProviderTest = defineUseCase({
  name: 'providers.start_test',
  permission: 'providers:update',
  summary: 'Sends the admin to a provider, to show the claims that it returns about them.',
  isSensitive: true,
  isShownOnce: true,
  changesNothing: true,
  leadsTo: started => ('url' in started ? started.url : null),
  input: testSchema,
  output: z.union([z.object({ url: z.string() }), providerTestResultSchema]),
  run: async (ports, { scheme }, { session }) => {
    if (session === undefined) return notFound
    const started = await ports.providerTests.start({ scheme, adminSession: session.digest })
    if (started.kind === 'unknown_provider') return notFound
    if (started.kind === 'redirect') return ok({ url: started.url })
    return ok({ kind: 'failed', scheme, sentence: providerFailureSentence(started.failure) } as const)
  },
})

export const finishProviderTest = defineUseCase({
  name: 'providers.finish_test',
  permission: 'providers:update',
  summary: 'Shows once what the provider returned.',
  isShownOnce: true,
  changesNothing: true,
  input: testSchema.extend({ parameters: z.record(z.string(), z.string()) }),
  output: providerTestResultSchema,
  run: async (ports, { scheme, parameters }, { session }) => {
    if (session === undefined) return notFound
    const outcome = await ports.providerTests.finish({ scheme, adminSession: session.digest, parameters })
    if (outcome.kind === 'identity') {
      const identity = await shown(ports, outcome.identity)
      return ok({ kind: 'received', scheme, identity } as const)
    }
    const sentence =
      outcome.kind === 'failed'
        ? providerFailureSentence(outcome.failure)
        : 'This test was started in a different admin session, is finished already, or took longer than ten minutes.'
    return ok({ kind: 'failed', scheme, sentence } as const)
  },
})

async function shown({ users }: AdminPorts, identity: ExternalIdentity) {
  const known = await users.findByExternal(identity)
  return viewOf(shownIdentitySchema, identity, {
    username: known?.username ?? null,
    name: known && nameOfUser({ claims: known.claims, hasPassword: known.passwordHash !== null }),
  })
}
