/** The mails that a test reads from the outbox. */
import type { MailBody } from '#lib/ports/mail.ts'
import { deliveryContext } from '#lib/ports/outbox.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { TestSignIn } from './sign-in.ts'

/** Takes the new mails out of the outbox. */
export async function newMails({
  ports: { clock, sealing },
  storage: { outbox },
}: Pick<TestSignIn, 'ports' | 'storage'>): Promise<readonly MailBody[]> {
  const now = clock.now()
  const until = secondsAfter(now, 31_536_000)
  const mails: MailBody[] = []
  for (;;) {
    const leased = await outbox.lease({ lease: 'test', kinds: ['mail'], now, until })
    if (leased === null) return mails
    mails.push(JSON.parse(sealing.open(leased.sealedBody, deliveryContext(leased.id))))
  }
}
