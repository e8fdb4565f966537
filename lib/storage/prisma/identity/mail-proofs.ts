/** Links and codes in mails. */
import type { MailProof, MailProofs } from '#lib/ports/mail-proofs.ts'
import type { Tables } from '../../database.ts'
import { expired, type Store } from '../../store.ts'
import { putDeliveries } from '../outbox.ts'
import { branded, changesOne, equals } from '../rows.ts'

/** The columns of a proof without an account. */
const noOwner = { subject: null, accountState: '' } as const
/** The code of a proof whose code was redeemed: no digest is equal to it. */
const noCode = ''

export const mailProofStore: Store<MailProofs> = {
  create: database => ({
    create: async proof => {
      await database.mailProof.create({ data: { ...proof, ...noOwner, attempts: 0 } })
    },
    send: ({ digest, purpose }, owner, mails) =>
      database.$transaction(async tables => {
        if (owner !== null) {
          const { subject } = owner
          await endMailProofs(tables, { subject: equals(subject), purpose: equals(purpose) })
          await tables.mailProof.updateMany({ where: { digest: equals(digest) }, data: owner })
        }
        await putDeliveries(tables, mails)
      }),
    findByLink: async (digest, purpose, now) => {
      const where = {
        digest: equals(digest),
        purpose: equals(purpose),
        subject: { not: null },
        expiresAt: { gt: now },
      }
      const row = await database.mailProof.findFirst({ where })
      return row && proofFromRow(row)
    },
    findByPage: async ({ page, browser, purpose }, now) => {
      const where = {
        page: equals(page),
        browser: equals(browser),
        purpose: equals(purpose),
        expiresAt: { gt: now },
      }
      const row = await database.mailProof.findFirst({ where })
      return row && proofFromRow(row)
    },
    countAttempt: (digest, most) =>
      changesOne(
        database.mailProof.updateMany({
          where: { digest: equals(digest), attempts: { lt: most } },
          data: { attempts: { increment: 1 } },
        }),
      ),
    redeemCode: ({ digest, codeDigest }, link) =>
      changesOne(
        database.mailProof.updateMany({
          where: { digest: equals(digest), codeDigest: equals(codeDigest), subject: { not: null } },
          data: { digest: link, codeDigest: noCode },
        }),
      ),
    take: (digest, mails = []) => {
      const taken = { where: { digest: equals(digest), subject: { not: null } }, data: noOwner }
      if (mails.length === 0) return changesOne(database.mailProof.updateMany(taken))
      return database.$transaction(async tables => {
        const isTaken = await changesOne(tables.mailProof.updateMany(taken))
        if (isTaken) await putDeliveries(tables, mails)
        return isTaken
      })
    },
  }),
  purge: [expired('mail_proofs', 'MailProof')],
}

type WhichProofs = {
  readonly subject: { readonly equals: string }
  readonly purpose?: { readonly equals: string }
}

/** Ends the proofs of an account; their rows stay until they expire. */
export async function endMailProofs(tables: Tables, where: WhichProofs): Promise<void> {
  await tables.mailProof.updateMany({ where, data: noOwner })
}

type Row = NonNullable<Awaited<ReturnType<Tables['mailProof']['findFirst']>>>

function proofFromRow({ purpose, ...row }: Row): MailProof {
  return branded<MailProof>({ ...row, purpose: purpose as MailProof['purpose'] })
}
