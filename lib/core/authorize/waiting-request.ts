/** A waiting request as the core reads it, and as it is stored: sealed, and no larger than it has to be. */
import type { Ports } from '#lib/ports/ports.ts'
import type { PendingRequest } from '#lib/ports/sessions.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import type { AuthorizeParameters } from '#lib/protocol/wire/authorize-params.ts'
import { readHint, type SubjectHint } from './subject-hint.ts'

export type WaitingRequest = Omit<PendingRequest, 'sealedParameters'> & Kept

type Kept = {
  /** As they came, to be validated again at each step; without `id_token_hint`, of which only the person is kept. */
  readonly parameters: AuthorizeParameters
  readonly hint: SubjectHint
}

/** What is stored under this digest. */
export async function sealRequest(ports: Ports, raw: AuthorizeParameters, digest: Digest): Promise<string> {
  const { id_token_hint, ...parameters } = raw
  const kept: Kept = { parameters, hint: await readHint(ports, id_token_hint ?? null) }
  return ports.sealing.seal(JSON.stringify(kept), place(digest))
}

/** Throws when the stored value was altered or moved. */
export function openRequest(ports: Ports, { sealedParameters, ...request }: PendingRequest): WaitingRequest {
  const kept: Kept = JSON.parse(ports.sealing.open(sealedParameters, place(request.digest)))
  return { ...request, ...kept }
}

function place(digest: Digest): string {
  return `pending_requests:parameters:${digest}`
}
