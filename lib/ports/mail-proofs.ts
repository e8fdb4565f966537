/** Links and codes in mails: proofs that the receiver reads the mails of an address. */
import type { Digest, SubjectId } from '#lib/protocol/ids.ts'
import type { NewDelivery } from './outbox.ts'

export type MailProofPorts = { readonly mailProofs: MailProofs }

/** The purposes for which a link and a code are sent. A proof for one purpose does not work for another. */
export const mailPurposes = ['reset_password', 'change_email', 'register'] as const
export type MailPurpose = (typeof mailPurposes)[number]

/** A proof as a request makes it, whether or not there is an account. */
export type NewMailProof = {
  /** The digest of the token in the link. */
  readonly digest: Digest
  /** The digest of the handle of the page that waits for the code. */
  readonly page: Digest
  /** The browser of that page: the code works only there. The link works in any browser. */
  readonly browser: Digest
  readonly purpose: MailPurpose
  readonly codeDigest: Digest
  /** Values that the purpose needs, sealed. */
  readonly sealedDetails: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type MailProof = NewMailProof & {
  readonly attempts: number
  /**
   * The account; `null`: there is none yet, none has the address, or the proof was used or replaced. The row stays until
   * it expires, so that the page of the code does not reveal which.
   */
  readonly subject: SubjectId | null
  /** A digest of the state of the account, such as its password hash: the proof is valid until it changes. */
  readonly accountState: string
}

/** An account that a proof is for. */
export type ProofOwner = Pick<MailProof, 'accountState'> & { readonly subject: SubjectId }

export type MailProofs = {
  /** Stores a proof that is not yet for an account. */
  readonly create: (proof: NewMailProof) => Promise<void>
  /**
   * Stores mails, and makes the proof one for this account: earlier proofs of the account for the purpose end. All in one
   * transaction. `owner: null`: the mails contain no link and no code.
   */
  readonly send: (
    proof: Pick<MailProof, 'digest' | 'purpose'>,
    owner: ProofOwner | null,
    mails: readonly NewDelivery[],
  ) => Promise<void>
  /** Returns the proof of a link, used in any browser; `null` if it is unknown, used, replaced or expired. */
  readonly findByLink: (digest: Digest, purpose: MailPurpose, now: Date) => Promise<MailProof | null>
  /** Returns the proof of a page in its browser, also if no account has it; `null` if it is unknown or expired. */
  readonly findByPage: (
    asked: { readonly page: Digest; readonly browser: Digest; readonly purpose: MailPurpose },
    now: Date,
  ) => Promise<MailProof | null>
  /** Counts an attempt before its code is compared. Returns false after `most` attempts, and to late callers. */
  readonly countAttempt: (digest: Digest, most: number) => Promise<boolean>
  /** Replaces the link and ends the code. Returns true for exactly one caller. */
  readonly redeemCode: (proof: Pick<MailProof, 'digest' | 'codeDigest'>, link: Digest) => Promise<boolean>
  /** Consumes the proof, and stores these mails. Returns true for exactly one caller. */
  readonly take: (digest: Digest, mails?: readonly NewDelivery[]) => Promise<boolean>
}
