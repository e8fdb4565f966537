/** Authorization requests that wait for a person. */
import { liveAtOnce } from '#lib/config/limits.ts'
import type { ConsentAnswer, PendingRequest, PendingRequests } from '#lib/ports/sessions.ts'
import type { PendingRequest as PendingRow } from '#prisma/generated/sqlite/client.ts'
import type { Client, Tables } from '../../client.ts'
import { digest, optional, subjectId } from '../columns.ts'
import { exactly } from '../exactly.ts'

export function createPendingRequests(client: Client): PendingRequests {
  return {
    create: async request => {
      await client.pendingRequest.create({ data: pendingToRow(request) })
      await makeRoom(client, request)
    },
    find: async (digest, browser) => {
      const row = await client.pendingRequest.findFirst({
        where: { digest: exactly(digest), browser: exactly(browser) },
      })
      return row && pendingFromRow(row)
    },
    recordChoice: async (digest, subject) => {
      await client.pendingRequest.updateMany({ where: unfinished(digest), data: { chosenSubject: subject } })
    },
    recordConsent: async (digest, answer) => {
      const data = { consent: JSON.stringify(answer) }
      await client.pendingRequest.updateMany({ where: unfinished(digest), data })
    },
    finish: (digest, now) => finishPending(client, digest, now),
  }
}

/** LIM-06: drops what is too much besides this one, the oldest first. */
async function makeRoom(client: Client, { digest, browser, createdAt }: PendingRequest): Promise<void> {
  const surplus = await client.pendingRequest.findMany({
    where: { browser, finishedAt: null, expiresAt: { gt: createdAt }, digest: { not: digest } },
    orderBy: [{ createdAt: 'desc' }, { digest: 'asc' }],
    skip: liveAtOnce.waitingRequests - 1,
    select: { digest: true },
  })
  if (surplus.length === 0) return
  const where = { digest: { in: surplus.map(request => request.digest) }, finishedAt: null }
  await client.pendingRequest.deleteMany({ where })
}

/** True for exactly one caller. */
export async function finishPending(tables: Tables, digest: string, now: Date): Promise<boolean> {
  const where = { ...unfinished(digest), expiresAt: { gt: now } }
  const { count } = await tables.pendingRequest.updateMany({ where, data: { finishedAt: now } })
  return count === 1
}

function unfinished(digest: string) {
  return { digest: exactly(digest), finishedAt: null }
}

function pendingToRow(request: PendingRequest): PendingRow {
  return {
    digest: request.digest,
    browser: request.browser,
    sealedParameters: request.sealedParameters,
    createdAt: request.createdAt,
    expiresAt: request.expiresAt,
    finishedAt: request.finishedAt,
    chosenSubject: request.chosenSubject,
    consent: request.consent && JSON.stringify(request.consent),
  }
}

function pendingFromRow(row: PendingRow): PendingRequest {
  return {
    ...row,
    digest: digest(row.digest),
    browser: digest(row.browser),
    chosenSubject: optional(row.chosenSubject, subjectId),
    consent: optional(row.consent, consentAnswer),
  }
}

function consentAnswer(text: string): ConsentAnswer {
  return JSON.parse(text)
}
