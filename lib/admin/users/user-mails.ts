/** The mails that were sent to a user lately, without their bodies. */
import { z } from 'zod'
import { outbox as limits } from '#lib/config/limits.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ok } from '../admin-result.ts'
import { deliverySchema, deliveryView } from '../mail/use-cases.ts'
import { defineUseCase } from '../use-case.ts'

export const listUserMails = defineUseCase({
  name: 'users.list_mails',
  permission: 'users:read',
  summary: `Lists the newest ${limits.listedOfUser} mails to the address of a user, with their state.`,
  input: z.object({ sub: subjectIdSchema }),
  output: z.object({ address: z.string().nullable(), deliveries: z.array(deliverySchema) }),
  api: { method: 'GET', path: '/users/{sub}/mails' },
  run: async (ports, { sub }, { now }) => {
    const address = await addressOf(ports, sub)
    const found = address === null ? [] : await ports.outbox.newestTo(address, limits.listedOfUser)
    return ok({ address, deliveries: found.map(delivery => deliveryView(delivery, now)) })
  },
})

/** Returns the address of the account, verified or not; that of a custom user service if it has a function for it. */
async function addressOf(
  { adminLists, userService }: AdminPorts,
  subject: SubjectId,
): Promise<string | null> {
  const email = (await adminLists.user(subject))?.claims.email
  if (typeof email === 'string') return email
  return (await userService.mailbox?.(subject))?.address ?? null
}
