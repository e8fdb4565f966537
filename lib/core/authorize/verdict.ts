/** Proves, validates and decides: the part that a new request and a resumed one share. */
import { catalog } from '#lib/errors/catalog.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { CheckResult } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { readAuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import type { Client } from '#lib/protocol/client.ts'
import { decide } from './decide.ts'
import { evidenceFor } from './evidence.ts'
import type { ShownError } from './outcome.ts'
import { proveReturnAddress, type ReturnAddress } from './return-address.ts'
import { gatherSituation } from './situation.ts'
import type { Step } from './step.ts'
import { beginTrail } from './trail.ts'
import type { ValidAuthorizeRequest } from './valid-request.ts'
import { validate } from './validate.ts'
import type { WaitingRequest } from './waiting-request.ts'

export type Verdict =
  | { readonly kind: 'show'; readonly error: ShownError }
  | {
      readonly kind: 'refuse'
      readonly address: ReturnAddress
      readonly error: OauthError
      /** For the events: what was checked, in order. */
      readonly checks?: readonly CheckResult[]
    }
  | {
      readonly kind: 'step'
      readonly address: ReturnAddress
      readonly client: Client
      readonly request: ValidAuthorizeRequest
      readonly step: Exclude<Step, { kind: 'refuse' }>
    }

export type Asked = {
  readonly parameters: Readonly<Record<string, string>>
  readonly fault?: OauthError | null
  readonly session: Session | null
  readonly pending: WaitingRequest | null
}

/** The border of the authorize core: refusals thrown inside become a verdict here, bugs go through. */
export async function judge(ports: Ports, asked: Asked): Promise<Verdict> {
  const raw = readAuthorizeParameters(asked.parameters)
  const trail = beginTrail()
  const proof = await proveReturnAddress(ports, raw, trail)
  if (proof.kind === 'unproven') return { kind: 'show', error: proof.error }
  const { client, address } = proof
  try {
    const scopes = (await ports.scopes.all()).map(({ scope }) => scope)
    const request = validate({ raw, client, scopes, fault: asked.fault ?? null }, address, trail)
    const step = decide(await gatherSituation(ports, { ...asked, request, client }))
    if (step.kind === 'refuse') throw new OauthError(step.code, step.reason)
    return { kind: 'step', address, client, request, step }
  } catch (error) {
    // What failed on our side is not the client's answer: the person may reload, and nothing is lost
    if (isOauthError(error) && catalog[error.code].status < 500) {
      const check = trail.current()
      const checks = trail.failedAt(check, error.evidence ?? evidenceFor(check, raw, client))
      return { kind: 'refuse', address, error, checks }
    }
    throw error
  }
}
