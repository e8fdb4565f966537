/** Failed attempts block sign-ins of a user for some minutes; an admin can end the block. */
import { z } from 'zod'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { notFound } from '../admin-result.ts'
import { commit, defineUseCase } from '../use-case.ts'
import { refusalToTouch } from './user-resource.ts'

export type SignInBlock = { readonly until: Date; readonly failures: number }

/** `null`: sign-ins of this user are not blocked. */
export async function signInBlock(
  { rateLimiter, userService, clock }: Pick<AdminPorts, 'rateLimiter' | 'userService' | 'clock'>,
  username: string,
): Promise<SignInBlock | null> {
  const account = await userService.canonicalUsername(username)
  return (await rateLimiter.blocksOf([account], clock.now())).get(account) ?? null
}

/** Also for a temporary password: the failed attempts were made with the earlier password. */
export async function forgetFailedSignIns(
  { rateLimiter, userService }: Pick<AdminPorts, 'rateLimiter' | 'userService'>,
  username: string,
): Promise<void> {
  await rateLimiter.allow(await userService.canonicalUsername(username))
}

export const allowSignIn = defineUseCase({
  name: 'users.allow_sign_in',
  permission: 'users:reset',
  summary: 'Ends the time for which failed attempts block sign-ins of a user.',
  done: 'The user can sign in again.',
  input: z.object({ sub: subjectIdSchema }),
  output: z.object({ sub: z.string(), failed_attempts: z.number() }),
  api: { method: 'POST', path: '/users/{sub}/allow-sign-in' },
  run: async (ports, { sub }, call) => {
    const refusal = await refusalToTouch(ports, sub, call)
    if (refusal !== null) return refusal
    const user = await ports.adminLists.user(sub)
    if (user === null) return notFound
    const block = await signInBlock(ports, user.username)
    const before = block && { blocked_until: block.until.toISOString(), failed_attempts: block.failures }
    const audit = [call.entry({ kind: 'user', id: sub, before, after: null })]
    const value = { sub, failed_attempts: block?.failures ?? 0 }
    const result = await commit(ports, { writes: [], audit }, { now: call.now, value })
    if (result.kind === 'ok') await forgetFailedSignIns(ports, user.username)
    return result
  },
})
