/** The rate limits that apply to a user now, and lifting them. */
import { z } from 'zod'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { notFound, ok } from '../admin-result.ts'
import { commit, defineUseCase } from '../use-case.ts'
import { forgetFailedSignIns, refusalToTouch, signInBlock } from './user-resource.ts'

const limitNames = ['sign_in', 'second_factor', 'recovery_mail', 'address_mail', 'registration_mail'] as const

const limitSchema = z.object({
  name: z
    .enum(limitNames)
    .describe(
      '`sign_in`: failed attempts block sign-ins. `second_factor`: wrong codes block further ones. `recovery_mail`: no more mails for a forgotten password. `address_mail`: none to confirm an address. `registration_mail`: none about the creation of an account, to the address of the user.',
    ),
  until: z.string(),
  failed_attempts: z.number().nullable(),
})

export type UserLimit = z.output<typeof limitSchema>

const limitsSchema = z.object({ sub: z.string(), limits: z.array(limitSchema) })

export const readUserLimits = defineUseCase({
  name: 'users.read_limits',
  permission: 'users:read',
  summary: 'Lists the rate limits that apply to a user now.',
  input: z.object({ sub: subjectIdSchema }),
  output: limitsSchema,
  api: { method: 'GET', path: '/users/{sub}/limits' },
  run: async (ports, { sub }) => ok({ sub, limits: [...(await limitsNow(ports, sub))] }),
})

export const allowSignIn = defineUseCase({
  name: 'users.allow_sign_in',
  permission: 'users:reset',
  summary: 'Lifts the rate limits of a user: failed sign-ins, wrong codes, and mails.',
  done: 'The limits of the user are lifted.',
  input: z.object({ sub: subjectIdSchema }),
  output: z.object({ sub: z.string(), failed_attempts: z.number(), lifted: z.array(z.enum(limitNames)) }),
  api: { method: 'POST', path: '/users/{sub}/allow-sign-in' },
  run: async (ports, { sub }, call) => {
    const refusal = await refusalToTouch(ports, sub, call)
    if (refusal !== null) return refusal
    const [user, limits] = await Promise.all([ports.adminLists.user(sub), limitsNow(ports, sub)])
    if (user === null && limits.length === 0) return notFound
    const before = limits.length === 0 ? null : { limits: limits.map(limit => ({ ...limit })) }
    const audit = [call.entry({ kind: 'user', id: sub, before, after: null })]
    const lifted = limits.map(({ name }) => name)
    const failures = limits.find(({ name }) => name === 'sign_in')?.failed_attempts ?? 0
    const value = { sub, failed_attempts: failures, lifted }
    const result = await commit(ports, { writes: [], audit }, { now: call.now, value })
    if (result.kind === 'ok') {
      if (user !== null) await forgetFailedSignIns(ports, user.username)
      await ports.rateLimiter.forget(Object.values(await rulesOf(ports, sub)).flat())
    }
    return result
  },
})

/** Returns the limits that are used up. A user of a custom user service has no sign-in limit that this server can name. */
export async function limitsNow(ports: AdminPorts, subject: SubjectId): Promise<readonly UserLimit[]> {
  const { second_factor: codes, ...mails } = await rulesOf(ports, subject)
  const now = ports.clock.now()
  const [user, codesUntil, ...ofMails] = await Promise.all([
    ports.adminLists.user(subject),
    ports.rateLimiter.usedUpUntil(codes, now),
    ...mailLimits.map(name => mailLimit(ports, name, mails[name])),
  ])
  const block = user && (await signInBlock(ports, user.username))
  // Wrong codes count as failed attempts of the account, too: that block is listed once
  const isOfCodes = block !== null && codesUntil?.getTime() === block.until.getTime()
  return [
    ...(block === null || isOfCodes ? [] : [limitView('sign_in', block.until, block.failures)]),
    ...(codesUntil === null ? [] : [limitView('second_factor', codesUntil)]),
    ...ofMails.flat(),
  ]
}

const mailLimits = ['recovery_mail', 'address_mail', 'registration_mail'] as const

async function mailLimit(
  { rateLimiter, clock }: Pick<AdminPorts, 'rateLimiter' | 'clock'>,
  name: (typeof mailLimits)[number],
  rules: readonly RateLimitRule[],
): Promise<readonly UserLimit[]> {
  const until = await rateLimiter.usedUpUntil(rules, clock.now())
  return until === null ? [] : [limitView(name, until)]
}

/** Returns the rules by name. Those of an address are left out if the user has none that is verified. */
async function rulesOf(ports: AdminPorts, subject: SubjectId) {
  const mailbox = (await ports.userService.mailbox?.(subject)) ?? null
  return ports.limitsOfUser(subject, mailbox?.address ?? null)
}

function limitView(name: UserLimit['name'], until: Date, failures: number | null = null): UserLimit {
  return { name, until: until.toISOString(), failed_attempts: failures }
}
