/** The parameters of the two validation endpoints. */
import type { FormParameters } from './token-params.ts'

export type ValidationParameters = {
  readonly token: string | null
  /** For identity tokens: whom the token must have been issued for. */
  readonly clientId: string | null
  /** For access tokens: one scope it must contain, as a whole word. */
  readonly expectedScope: string | null
}

/** Reads them from a query or a form; empty is the same as absent. */
export function readValidationParameters(parameters: FormParameters): ValidationParameters {
  return {
    token: given(parameters.token),
    clientId: given(parameters.client_id),
    expectedScope: given(parameters.expectedScope),
  }
}

function given(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value
}
