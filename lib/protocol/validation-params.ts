/** The parameters of the two validation endpoints. */
import type { Parameters } from './parameters.ts'

export type ValidationParameters = {
  readonly token: string | null
  /** For ID tokens: the client that the token must have been issued to. */
  readonly clientId: string | null
  /** For access tokens: one scope it must contain, as a whole word. */
  readonly expectedScope: string | null
}

/** Reads them from a query or a form; empty is the same as absent. */
export function readValidationParameters(parameters: Parameters): ValidationParameters {
  return {
    token: parameters.one('token'),
    clientId: parameters.one('client_id'),
    expectedScope: parameters.one('expectedScope'),
  }
}
