import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { outbox as limits } from '#lib/config/limits.ts'
import { context, openTestPorts, type TestPorts } from '#lib/core/testing/ports.ts'
import type { Clock } from '#lib/ports/environment.ts'
import { newMail } from '#lib/ports/mail.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { sampleAuditEntry } from '#lib/storage/testing/samples.ts'
import { type SendMessage, type Sent, sendDueDeliveries } from './send-deliveries.ts'

let opened: TestPorts
const sentMails: { readonly id: string; readonly body: string }[] = []
const reported: unknown[] = []
beforeEach(async () => {
  opened = await openTestPorts()
  sentMails.length = 0
  reported.length = 0
})
afterEach(() => opened.close())

/** The signal of a server that does not stop. */
const never = new AbortController().signal

const accepted: Sent = { kind: 'delivered', status: 250, answer: 'OK' }
const busy: Sent = { kind: 'not_now', status: 450, answer: 'busy' }
const unknown: Sent = { kind: 'refused', status: 550, answer: 'unknown' }

let time = new Date('2026-03-01T12:00:00Z')
const clock = { now: () => time }

/** Stores a mail that is useful for an hour, and returns its ID. */
async function post(usefulSeconds = 3600): Promise<string> {
  const body = { to: 'alice@example.org', locale: 'en', content: 'test', values: {} } as const
  const mail = newMail(opened.ports, body, { now: time, usefulSeconds })
  const writes = [{ kind: 'deliver', deliveries: [mail] }] as const
  await opened.storage.adminStore.commit({ writes, audit: [sampleAuditEntry()] }, time)
  return mail.id
}

type Node = { readonly stopping?: AbortSignal; readonly cutOff?: AbortSignal; readonly clock?: Clock }

/** Sends as a node does, by the clock of the test or its own. */
function sendWith(answer: SendMessage | null, node: Node = {}): Promise<void> {
  const { sealing, random } = opened.ports
  return sendDueDeliveries({
    ...{ outbox: opened.storage.outbox, sealing, random, clock, stopping: never, cutOff: never, ...node },
    events: opened.ports.events,
    send:
      answer === null
        ? {}
        : {
            mail: message => {
              sentMails.push(message)
              return answer(message)
            },
          },
    report: error => reported.push(error),
    newRequestId: () => context.requestId,
  })
}

const find = (id: string) => opened.storage.outbox.find(id)

test('a message is sent once, with its body, and its result is stored', async () => {
  const id = await post()
  await sendWith(async () => accepted)
  await sendWith(async () => accepted)
  assert.deepEqual(
    sentMails.map(sent => [sent.id, JSON.parse(sent.body).to]),
    [[id, 'alice@example.org']],
  )
  const stored = await find(id)
  assert.deepEqual([stored?.state, stored?.attempts, stored?.lastAnswer], ['delivered', 1, 'OK'])
})

test('more messages than are sent at the same time are all sent', async () => {
  const ids = []
  for (let count = 0; count < limits.atOnce + 3; count += 1) ids.push(await post())
  await sendWith(async () => accepted)
  assert.deepEqual(sentMails.map(({ id }) => id).toSorted(), ids.toSorted())
})

test('EV-04 a message is tried again after the pauses of the table, then given up with an event', async () => {
  const id = await post(30 * 86_400)
  for (const [index, pause] of limits.retrySeconds.entries()) {
    await sendWith(async () => busy)
    const { nextAt, attempts, state } = (await find(id)) ?? assert.fail()
    assert.deepEqual([state, attempts], ['waiting', index + 1])
    const waited = ((nextAt?.getTime() ?? 0) - time.getTime()) / 1000
    assert.ok(Math.abs(waited - pause) <= pause * limits.jitter, `${waited} s after attempt ${index + 1}`)
    time = secondsAfter(time, pause * (1 + limits.jitter))
  }
  await sendWith(async () => busy)
  assert.equal((await find(id))?.state, 'failed')
  const given = opened.events.filter(({ name }) => name === 'delivery_failed')
  assert.deepEqual(
    given.map(({ details }) => details?.delivery),
    [id],
  )
  assert.equal(sentMails.length, limits.retrySeconds.length + 1)
})

test('the last attempt is made shortly before the deadline', async () => {
  for (const usefulSeconds of [90, 300, 3600]) {
    const id = await post(usefulSeconds)
    const end = secondsAfter(time, usefulSeconds).getTime()
    let last = time
    for (let nextAt: Date | null = time; nextAt !== null; nextAt = (await find(id))?.nextAt ?? null) {
      last = time = nextAt
      await sendWith(async () => busy)
    }
    assert.equal((await find(id))?.state, 'failed')
    assert.equal(end - last.getTime(), limits.leaseSeconds * 1000)
  }
})

test('a server that cannot send mail leaves mails to others', async () => {
  const id = await post()
  await sendWith(null)
  const { state, attempts } = (await find(id)) ?? assert.fail()
  assert.deepEqual([state, attempts], ['waiting', 0])
})

test('a refused message is given up at the first attempt', async () => {
  const id = await post()
  await sendWith(async () => unknown)
  const { state, lastStatus, nextAt } = (await find(id)) ?? assert.fail()
  assert.deepEqual([state, lastStatus, nextAt], ['failed', 550, null])
})

test('a message is not tried again after its deadline, and not sent after it', async () => {
  const [early, late] = [await post(4), await post(2)]
  time = secondsAfter(time, 3)
  await sendWith(async () => busy)
  assert.deepEqual(
    sentMails.map(({ id }) => id),
    [early],
  )
  assert.equal((await find(early))?.state, 'failed')
  assert.match((await find(late))?.lastAnswer ?? '', /not sent in time/)
})

test('a message that cannot be written is reported and tried again, and the others are sent', async () => {
  const [first, second] = [await post(), await post()]
  const error = new Error('no template')
  await sendWith(async () => {
    if (sentMails.length === 1) throw error
    return accepted
  })
  assert.deepEqual(reported, [error])
  const states = [(await find(first))?.state, (await find(second))?.state].toSorted()
  assert.deepEqual(states, ['delivered', 'waiting'])
})

test('a process that ends while it sends loses nothing: the message is sent again with the same ID', async () => {
  const id = await post()
  const pending = Promise.withResolvers<Sent>()
  const interrupted = sendWith(() => pending.promise)
  while (sentMails.length === 0) await new Promise(setImmediate)
  time = secondsAfter(time, limits.leaseSeconds + 1)
  await sendWith(async () => accepted)
  pending.resolve(unknown)
  await interrupted
  assert.deepEqual(
    sentMails.map(sent => sent.id),
    [id, id],
  )
  assert.equal((await find(id))?.state, 'delivered', 'the late result of the first process does not count')
})

/** A clock that differs by some seconds from that of the test. */
const differingBy = (seconds: number): Clock => ({ now: () => secondsAfter(time, seconds) })

/** Begins an attempt whose receiver answers when `answer` is called. */
async function beginAttempt() {
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const attempt = sendWith(() => promise)
  while (sentMails.length === 0) await new Promise(setImmediate)
  return {
    answer: (sent: Sent) => {
      resolve(sent)
      return attempt
    },
  }
}

test('a node whose clock is less than twenty seconds ahead sends nothing that a different node is sending', async () => {
  const id = await post()
  const { answer } = await beginAttempt()
  time = secondsAfter(time, limits.attemptMs / 1000)
  await sendWith(async () => accepted, { clock: differingBy(19) })
  await answer(accepted)
  assert.equal(sentMails.length, 1)
  assert.equal((await find(id))?.state, 'delivered')
})

for (const late of [accepted, unknown, busy])
  test(`with clocks that differ by more, a message can be sent twice with one ID, and is not lost: ${late.kind}`, async () => {
    const id = await post()
    const { answer } = await beginAttempt()
    time = secondsAfter(time, limits.attemptMs / 1000 - 1)
    await sendWith(async () => accepted, { clock: differingBy(25) })
    await answer(late)
    assert.deepEqual(
      sentMails.map(sent => sent.id),
      [id, id],
    )
    assert.equal((await find(id))?.state, 'delivered')
  })

test('a node whose clock is behind sends a message of a node whose clock is right', async () => {
  const id = await post()
  await sendWith(async () => accepted, { clock: differingBy(-25) })
  assert.deepEqual(sentMails, [])
  time = secondsAfter(time, 25)
  await sendWith(async () => accepted, { clock: differingBy(-25) })
  assert.equal((await find(id))?.state, 'delivered')
})

test('a server that stops leases no more messages', async () => {
  const ids: string[] = []
  for (let count = 0; count <= limits.atOnce; count += 1) ids.push(await post())
  const stopping = new AbortController()
  const answer = async () => {
    stopping.abort()
    return accepted
  }
  await sendWith(answer, { stopping: stopping.signal })
  assert.ok(sentMails.length <= limits.atOnce)
  await sendWith(answer)
  assert.deepEqual(sentMails.map(({ id }) => id).toSorted(), ids.toSorted())
})

test('a server that waits no longer ends the attempts, and their messages are tried again', async () => {
  const id = await post()
  const cutOff = new AbortController()
  await sendWith(
    ({ signal }) =>
      new Promise(done => {
        signal.addEventListener('abort', () => done(busy))
        cutOff.abort()
      }),
    { cutOff: cutOff.signal },
  )
  assert.equal((await find(id))?.state, 'waiting')
})

test('a message is given up after many attempts that ended with their process', async () => {
  const id = await post()
  for (let count = 0; count < limits.mostAttempts; count += 1) {
    const until = secondsAfter(time, limits.leaseSeconds)
    const lease = opened.ports.random.id()
    assert.equal((await opened.storage.outbox.lease({ lease, kinds: ['mail'], now: time, until }))?.id, id)
    time = until
  }
  await sendWith(async () => accepted)
  assert.deepEqual(sentMails, [])
  assert.equal((await find(id))?.state, 'failed')
})
