import { type ResponseType, responseTypes } from './vocabulary.ts'

/** Reads a `response_type`; the order of its words does not matter. `null`: not supported. */
export function parseResponseType(value: string): ResponseType | null {
  const words = sortedWords(value)
  return responseTypes.find(type => sortedWords(type) === words) ?? null
}

/** Whether the answer carries a token through the browser. Also reads response types we do not know. */
export function bearsTokens(responseType: string): boolean {
  const words = responseType.split(' ')
  return words.includes('token') || words.includes('id_token')
}

function sortedWords(value: string): string {
  return value.split(' ').sort().join(' ')
}
