/** The thread that computes hashes which Node.js does not have, while the main thread serves requests. Started by `hash-thread-calls.ts`. */
import { hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'

export type HashJob =
  | { readonly kind: 'bcrypt'; readonly password: string; readonly cost: number; readonly salt: string }
  | { readonly kind: 'phpass'; readonly password: string; readonly exponent: number; readonly salt: string }

parentPort?.on('message', (job: HashJob) => parentPort?.postMessage(keyOf(job)))

function keyOf(job: HashJob): string {
  return job.kind === 'bcrypt' ? bcryptKey(job) : phpassKey(job)
}

/** The last 31 characters of bcrypt's text form. */
function bcryptKey({ password, cost, salt }: Extract<HashJob, { kind: 'bcrypt' }>): string {
  const settings = `$2b$${String(cost).padStart(2, '0')}$${salt}`
  return hashSync(password, settings).slice(settings.length)
}

/** Computes MD5 of the salt and the password, and then 2ⁿ times of the last result and the password. */
function phpassKey({ password, exponent, salt }: Extract<HashJob, { kind: 'phpass' }>): string {
  const bytes = Buffer.from(password)
  let result = hash('md5', Buffer.concat([Buffer.from(salt), bytes]), 'buffer')
  for (let count = 2 ** exponent; count > 0; count -= 1)
    result = hash('md5', Buffer.concat([result, bytes]), 'buffer')
  return phpassText(result)
}

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Writes three bytes as four characters, the lowest bits first. */
function phpassText(bytes: Buffer): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += 3) {
    const group = bytes.subarray(start, start + 3)
    let value = group.reduce((sum, byte, index) => sum + byte * 256 ** index, 0)
    for (let count = 0; count <= group.length; count += 1) {
      text += alphabet[value % 64]
      value = Math.floor(value / 64)
    }
  }
  return text
}
