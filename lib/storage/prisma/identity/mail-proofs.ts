/** Links and codes in mails. */
import type { MailProof, MailProofs } from '#lib/ports/mail-proofs.ts'
import type { Tables } from '../../database.ts'
import { expired, type Store } from '../../store.ts'
import { putDeliveries } from '../outbox.ts'
import { branded, changesOne, equals } from '../rows.ts'

export const mailProofStore: Store<MailProofs> = {
  create: database => ({
    create: (proof, mail) =>
      database.$transaction(async tables => {
        const { subject, purpose } = proof
        if (subject !== null)
          await tables.mailProof.deleteMany({ where: { subject: equals(subject), purpose: equals(purpose) } })
        await tables.mailProof.create({ data: { ...proof, attempts: 0 } })
        await putDeliveries(tables, mail)
      }),
    findByLink: async (digest, purpose, now) => {
      const where = { digest: equals(digest), purpose: equals(purpose), expiresAt: { gt: now } }
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
    take: digest => changesOne(database.mailProof.deleteMany({ where: { digest: equals(digest) } })),
  }),
  purge: [expired('mail_proofs', 'MailProof')],
}

type Row = NonNullable<Awaited<ReturnType<Tables['mailProof']['findFirst']>>>

function proofFromRow({ purpose, ...row }: Row): MailProof {
  return branded<MailProof>({ ...row, purpose: purpose as MailProof['purpose'] })
}
