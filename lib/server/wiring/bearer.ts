/** The token that readers of metrics send. */
import { createHashing } from '#lib/crypto/hashing.ts'

/** Whether a request has this token. RFC 9110 11.1: the letter case of the scheme does not matter. */
export function isBearer(token: string, authorization: string | null): boolean {
  const [scheme = '', sent = ''] = (authorization ?? '').split(' ')
  return scheme.toLowerCase() === 'bearer' && createHashing().equal(sent, token)
}
