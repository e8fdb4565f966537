/** What the app must remember between sending a person away and meeting them again. */
import { z } from 'zod'
import { readCookie } from '#lib/http/cookies.ts'
import { endedCookie, playgroundCookie } from './cookie.ts'

const name = 'latchkey_playground_proof'
const lifetimeSeconds = 3600

const proofSchema = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  verifier: z.string().min(43).max(128),
})

export type Proof = z.infer<typeof proofSchema>

export function newProof(randomId: () => string): Proof {
  // RFC 7636 4.1: at least 43 characters; two ids of 22 contain 256 random bits.
  return { state: randomId(), nonce: randomId(), verifier: randomId() + randomId() }
}

/** RFC 7636 4.2: `S256`. */
export async function challengeOf({ verifier }: Proof): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(digest).toString('base64url')
}

export function proofCookie(proof: Proof): string {
  return playgroundCookie(name, Buffer.from(JSON.stringify(proof)).toString('base64url'), lifetimeSeconds)
}

export function endedProofCookie(): string {
  return endedCookie(name)
}

export function readProof(cookieHeader: string | null): Proof | null {
  const value = readCookie(cookieHeader, name)
  if (value === null) return null
  const parsed = z.preprocess(fromBase64url, proofSchema).safeParse(value)
  return parsed.success ? parsed.data : null
}

function fromBase64url(value: unknown): unknown {
  try {
    return JSON.parse(Buffer.from(String(value), 'base64url').toString())
  } catch {
    // Not ours: as good as none.
    return null
  }
}
