/** Use cases for mail: its state and latest messages, a test mail, and sending a message again. */
import { z } from 'zod'
import { outbox as limits } from '#lib/config/limits.ts'
import { newMail } from '#lib/ports/mail.ts'
import { type Delivery, deliveryKinds, deliveryStates } from '#lib/ports/outbox.ts'
import { isMailAddress } from '#lib/protocol/text/mail-address.ts'
import { invalid, notFound, ok } from '../admin-result.ts'
import { commit, defineUseCase, type UseCase } from '../use-case.ts'

export const deliverySchema = z.object({
  id: z.string(),
  kind: z.enum(deliveryKinds),
  to: z.string(),
  content: z.string(),
  detail: z.string().nullable().describe('The change that a mail about the account is about.'),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  created_at: z.string(),
  next_attempt_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  last_status: z.number().nullable(),
  last_answer: z.string().nullable(),
  can_be_sent_again: z.boolean(),
})
export type DeliveryView = z.output<typeof deliverySchema>

const stateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('smtp'), host: z.string(), port: z.number(), from: z.string() }),
  z.object({ kind: z.literal('folder'), folder: z.string() }),
  z.object({ kind: z.literal('off') }),
])

export type MailView = z.output<typeof stateSchema>

export const readMail = defineUseCase({
  name: 'mail.read',
  permission: 'mail:read',
  summary: `Returns how mail is sent, and the newest ${limits.listed} messages.`,
  input: z.object({}),
  output: z.object({ mail: stateSchema, deliveries: z.array(deliverySchema) }),
  api: { method: 'GET', path: '/mail' },
  run: async ({ outbox, mail }, _input, { now }) => {
    const deliveries = await outbox.newest(limits.listed)
    return ok({ mail, deliveries: deliveries.map(delivery => deliveryView(delivery, now)) })
  },
})

/** The time within which a test mail is useful: an administrator waits for it. */
const testSeconds = 3600

export const sendTestMail = defineUseCase({
  name: 'mail.send_test',
  permission: 'mail:send',
  summary: 'Sends a test mail.',
  done: 'The test mail is on its way. The answer of the mail server appears below.',
  input: z.object({ to: z.string().max(320).refine(isMailAddress, 'must be an email address') }),
  output: deliverySchema,
  api: { method: 'POST', path: '/mail/test', status: 201 },
  run: async (ports, { to }, { now, entry }) => {
    if (ports.mail.kind === 'off') return invalid('', mailIsOff)
    const mail = newMail(
      ports,
      { to, locale: 'en', content: 'test', values: {} },
      { now, usefulSeconds: testSeconds },
    )
    const { sealedBody: _, ...stored } = mail
    const waiting = { state: 'waiting', attempts: 0, nextAt: now, endedAt: null } as const
    const value = deliveryView(
      { ...stored, ...waiting, lastStatus: null, lastAnswer: null, detail: null },
      now,
    )
    const audit = entry({ kind: 'delivery', id: mail.id, before: null, after: { content: 'test', to } })
    const change = { writes: [{ kind: 'deliver', deliveries: [mail] }], audit: [audit] } as const
    return commit(ports, change, { now, value })
  },
})

export const sendAgain = defineUseCase({
  name: 'mail.send_again',
  permission: 'mail:send',
  summary: 'Sends a message again that was given up. A message that is waiting or delivered is unchanged.',
  done: 'The message is on its way.',
  input: z.object({ delivery_id: z.string().min(1).max(100) }),
  output: z.object({ id: z.string(), state: z.enum(deliveryStates) }),
  api: { method: 'POST', path: '/mail/{delivery_id}/send' },
  run: async (ports, { delivery_id: id }, { now, entry }) => {
    const found = await ports.outbox.find(id)
    if (found === null) return notFound
    if (found.state !== 'failed') return ok({ id, state: found.state })
    if (found.deadlineAt <= now) return invalid('delivery_id', 'This message is too old to be of use.')
    const audit = entry({ kind: 'delivery', id, before: { state: found.state }, after: { state: 'waiting' } })
    const change = { writes: [{ kind: 'deliver_again', id }], audit: [audit] } as const
    return commit(ports, change, { now, value: { id, state: 'waiting' as const } })
  },
})

export const mailUseCases: readonly UseCase[] = [readMail, sendTestMail, sendAgain]

const mailIsOff = 'Mail is turned off: set SMTP_URL and MAIL_FROM, and restart the server.'

/** A message in the format of the API. */
export function deliveryView(delivery: Delivery, now: Date): DeliveryView {
  const { id, kind, target, content, detail, state, attempts, lastStatus, lastAnswer } = delivery
  return {
    ...{ id, kind, to: target, content, detail, state, attempts },
    created_at: delivery.createdAt.toISOString(),
    next_attempt_at: delivery.nextAt?.toISOString() ?? null,
    ended_at: delivery.endedAt?.toISOString() ?? null,
    last_status: lastStatus,
    last_answer: lastAnswer,
    can_be_sent_again: state === 'failed' && delivery.deadlineAt > now,
  }
}
