/** Links and codes in mails for every purpose: a request makes them, and its page exchanges the code for a link. */
import { mailProof as limits } from '#lib/config/limits.ts'
import type { MailProof, MailPurpose } from '#lib/ports/mail-proofs.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, Digest, MailLinkHandle, MailPageHandle } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { codeDigest, newCode } from './mail-code.ts'

/** The handles with which a browser proves that the page is its own; `null`: not sent. */
export type PageProof = { readonly page: MailPageHandle | null; readonly browser: BrowserHandle | null }

export type NewProof = {
  readonly purpose: MailPurpose
  /** The browser that asks; `null`: it gets a handle. */
  readonly browser: BrowserHandle | null
  /** The values that the purpose needs, as JSON. */
  readonly details: string
}

/** The handles of a proof, for the page that asked, and for the mail. */
export type MadeProof = {
  readonly page: MailPageHandle
  readonly browser: BrowserHandle
  readonly digest: Digest
  readonly link: MailLinkHandle
  readonly code: string
}

/** Stores a proof that is not yet for an account: `MailProofs.send` makes it one. */
export async function makeMailProof(
  ports: Pick<Ports, 'random' | 'hashing' | 'sealing' | 'clock' | 'mailProofs'>,
  { purpose, browser: known, details }: NewProof,
): Promise<MadeProof> {
  const { random, hashing, sealing, clock } = ports
  const browser = known ?? random.handle('browser')
  const page = random.handle('mailPage')
  const link = random.handle('mailLink')
  const code = newCode(random)
  const digest = hashing.digest(link)
  const pageDigest = hashing.digest(page)
  const now = clock.now()
  await ports.mailProofs.create({
    ...{ digest, purpose, page: pageDigest, browser: hashing.digest(browser) },
    codeDigest: codeDigest(hashing, page, code),
    sealedDetails: sealing.seal(details, placeOf(pageDigest)),
    createdAt: now,
    expiresAt: secondsAfter(now, limits.lifetimeSeconds),
  })
  return { page, browser, digest, link, code }
}

/** Opens the details of a proof, as JSON. Throws if the stored value cannot be opened. */
export function openProofDetails(
  { sealing }: Pick<Ports, 'sealing'>,
  { page, sealedDetails }: Pick<MailProof, 'page' | 'sealedDetails'>,
): string {
  return sealing.open(sealedDetails, placeOf(page))
}

/** Returns the sealing context. The digest of the page identifies the row as long as it exists. */
function placeOf(page: Digest): string {
  return `mail_proofs:details:${page}`
}

/** Returns the proof of a page; `null` if it is unknown, has expired, or was made in another browser. */
export async function findProofByPage(
  { mailProofs, hashing, clock }: Pick<Ports, 'mailProofs' | 'hashing' | 'clock'>,
  purpose: MailPurpose,
  { page, browser }: PageProof,
): Promise<MailProof | null> {
  if (page === null || browser === null) return null
  const asked = { page: hashing.digest(page), browser: hashing.digest(browser), purpose }
  return mailProofs.findByPage(asked, clock.now())
}

/** The state of a page that waits for a code. */
export type WaitingProof = {
  /** The seconds until the user can ask for a further mail. */
  readonly waitSeconds: number
  /** Whether the code was typed wrongly too often, or has expired; the link still works. */
  readonly isUsedUp: boolean
}

export function waitingProof(
  { clock }: Pick<Ports, 'clock'>,
  { createdAt, attempts }: Pick<MailProof, 'createdAt' | 'attempts'>,
): WaitingProof {
  const now = clock.now()
  const ageSeconds = (now.getTime() - createdAt.getTime()) / 1000
  const waitSeconds = Math.max(0, Math.ceil(limits.resendSeconds - ageSeconds))
  return { waitSeconds, isUsedUp: attempts >= limits.attempts || hasCodeExpired(createdAt, now) }
}

/** AU-14: a code works for a shorter time than its link. */
function hasCodeExpired(createdAt: Date, now: Date): boolean {
  return secondsAfter(createdAt, limits.codeSeconds) <= now
}

export type CodeOutcome =
  | { readonly kind: 'right'; readonly link: MailLinkHandle }
  | { readonly kind: 'wrong' | 'used_up' | 'expired' }

/**
 * Exchanges the code for a new link; the link in the mail no longer works. The attempt is counted before the code is
 * compared. Works once, and only in the browser that asked for the mail.
 */
export async function redeemProofCode(
  ports: Pick<Ports, 'mailProofs' | 'hashing' | 'clock' | 'random'>,
  purpose: MailPurpose,
  { code, ...asked }: PageProof & { readonly code: string },
): Promise<CodeOutcome> {
  const proof = await findProofByPage(ports, purpose, asked)
  if (proof === null || asked.page === null) return { kind: 'expired' }
  const { mailProofs, hashing, random } = ports
  if (hasCodeExpired(proof.createdAt, ports.clock.now())) return { kind: 'used_up' }
  if (!(await mailProofs.countAttempt(proof.digest, limits.attempts))) return { kind: 'used_up' }
  if (!hashing.equal(codeDigest(hashing, asked.page, code), proof.codeDigest)) return { kind: 'wrong' }
  const link = random.handle('mailLink')
  const isRedeemed = await mailProofs.redeemCode(proof, hashing.digest(link))
  return isRedeemed ? { kind: 'right', link } : { kind: 'wrong' }
}
