import { bearsTokens } from './response-type.ts'
import { type ResponseMode, responseModes } from './vocabulary.ts'

/** The mode a response type has by itself (OAuth 2.0 Multiple Response Types 3 and 5). */
export function defaultResponseMode(responseType: string): ResponseMode {
  return bearsTokens(responseType) ? 'fragment' : 'query'
}

/** Reads a `response_mode` for this response type. `null`: unknown, or it would put tokens into a query. */
export function parseResponseMode(value: string, responseType: string): ResponseMode | null {
  const mode = responseModes.find(known => known === value)
  if (mode === undefined) return null
  return mode === 'query' && bearsTokens(responseType) ? null : mode
}

/** The mode in which a client hears from us even when response type or mode are themselves what is wrong. */
export function deliveryMode(responseType = '', responseMode = ''): ResponseMode {
  return parseResponseMode(responseMode, responseType) ?? defaultResponseMode(responseType)
}
