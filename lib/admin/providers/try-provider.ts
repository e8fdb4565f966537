/** "Test sign-in": the real way to a provider and back, shown to the admin who asked. Nobody is signed in by it. */
import { z } from 'zod'
import { providerFailureSentence } from '#lib/errors/provider-failures.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { nameOfUser } from '#lib/protocol/text/user-names.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { invalid, notFound, ok } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'

/** The digest of a visit, which only our own routes know. */
const visitSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .brand<'Digest'>()

const trialSchema = z.object({ scheme: providerSchemeSchema, visit: visitSchema })

export const startProviderTrial = defineUseCase({
  name: 'providers.start_trial',
  permission: 'providers:update',
  summary: 'Sends the admin to a provider to see what it says about them.',
  done: '',
  isSensitive: true,
  changesNothing: true,
  input: trialSchema,
  output: z.object({ url: z.string() }),
  api: null,
  run: async (ports, trial) => {
    const started = await ports.trials.start(trial)
    if (started.kind === 'unknown_provider') return notFound
    if (started.kind === 'failed') return invalid('', providerFailureSentence(started.failure))
    return ok({ url: started.url })
  },
})

const shownIdentitySchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  authenticated_at: z.string().nullable(),
  claims: z.record(z.string(), jsonValueSchema),
  /** Whose account a sign-in would open; `null`: it would make a new one. */
  username: z.string().nullable(),
  /** How lists call that user. */
  name: z.string().nullable(),
})

export const trialAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('received'), scheme: z.string(), identity: shownIdentitySchema }),
  z.object({ kind: z.literal('failed'), scheme: z.string(), sentence: z.string() }),
])

export type TrialAnswer = z.infer<typeof trialAnswerSchema>

export const finishProviderTrial = defineUseCase({
  name: 'providers.finish_trial',
  permission: 'providers:update',
  summary: 'Shows once what the provider said.',
  done: '',
  isShownOnce: true,
  changesNothing: true,
  input: trialSchema.extend({ parameters: z.record(z.string(), z.string()) }),
  output: trialAnswerSchema,
  api: null,
  run: async (ports, { scheme, visit, parameters }) => {
    const outcome = await ports.trials.finish({ scheme, visit, parameters })
    if (outcome.kind === 'identity') {
      const identity = await shown(ports, outcome.identity)
      return ok({ kind: 'received', scheme, identity } as const)
    }
    const sentence =
      outcome.kind === 'failed'
        ? providerFailureSentence(outcome.failure)
        : 'This test was not begun in this visit, was finished already, or took longer than ten minutes.'
    return ok({ kind: 'failed', scheme, sentence } as const)
  },
})

async function shown({ users }: AdminPorts, identity: ExternalIdentity) {
  const known = await users.findByExternal(identity)
  return {
    issuer: identity.issuer,
    subject: identity.subject,
    authenticated_at: identity.authenticatedAt?.toISOString() ?? null,
    claims: { ...identity.claims },
    username: known?.username ?? null,
    name: known && nameOfUser({ claims: known.claims, hasPassword: known.passwordHash !== null }),
  }
}
