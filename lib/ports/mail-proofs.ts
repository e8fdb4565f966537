/** Links and codes in mails: proofs that the receiver reads the mails of an address. */
import type { Digest, SubjectId } from '#lib/protocol/ids.ts'
import type { NewDelivery } from './outbox.ts'

export type MailProofPorts = { readonly mailProofs: MailProofs }

/** The purposes for which a link and a code are sent. A proof for one purpose does not work for another. */
export const mailPurposes = ['reset_password'] as const
export type MailPurpose = (typeof mailPurposes)[number]

export type MailProof = {
  /** The digest of the token in the link. */
  readonly digest: Digest
  /** The digest of the handle of the page that waits for the code. */
  readonly page: Digest
  /** The browser of that page: the code works only there. The link works in any browser. */
  readonly browser: Digest
  readonly purpose: MailPurpose
  /** The account; `null`: none has the address. The row exists all the same, so that the pages do not differ. */
  readonly subject: SubjectId | null
  /** A digest of the state of the account, such as its password hash: the proof is valid until it changes. */
  readonly accountState: string
  readonly codeDigest: Digest
  readonly attempts: number
  /** Values that the purpose needs, sealed. */
  readonly sealedDetails: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type MailProofs = {
  /** Stores a proof with its mail, and deletes earlier ones of the subject for this purpose, in one transaction. */
  readonly create: (proof: Omit<MailProof, 'attempts'>, mail: readonly NewDelivery[]) => Promise<void>
  /** Returns the proof of a link, used in any browser; `null` if it is unknown, used or expired. */
  readonly findByLink: (digest: Digest, purpose: MailPurpose, now: Date) => Promise<MailProof | null>
  /** Returns the proof of a page in its browser; `null` if it is unknown, used or expired. */
  readonly findByPage: (
    asked: { readonly page: Digest; readonly browser: Digest; readonly purpose: MailPurpose },
    now: Date,
  ) => Promise<MailProof | null>
  /** Counts an attempt before its code is compared. Returns false after `most` attempts, and to late callers. */
  readonly countAttempt: (digest: Digest, most: number) => Promise<boolean>
  /** Consumes the proof. Returns true for exactly one caller. */
  readonly take: (digest: Digest) => Promise<boolean>
}
