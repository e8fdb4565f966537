/** The contract of the store for links and codes in mails. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NewMailProof } from '#lib/ports/mail-proofs.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { later, newDigest, newSubject, now } from '../samples.ts'

export function mailProofContract(host: () => Host): void {
  const storage = () => host().storage
  const notice = (): NewDelivery => ({
    ...{ id: `m-${newDigest()}`, kind: 'mail', target: 'alice@example.org', content: 'test' },
    ...{ sealedBody: 'sealed', createdAt: now, deadlineAt: later(3600) },
  })
  const isStored = async ({ id }: NewDelivery) => (await storage().outbox.find(id)) !== null
  const winners = (results: readonly boolean[]) => results.filter(Boolean).length

  describe('links and codes in mails', () => {
    const proofs = () => storage().mailProofs
    const purpose = 'reset_password'
    const sample = () =>
      ({
        ...{ digest: newDigest(), page: newDigest(), browser: newDigest(), codeDigest: newDigest(), purpose },
        ...{ sealedDetails: 'sealed', createdAt: now, expiresAt: later(60) },
      }) satisfies NewMailProof
    const sent = async (subject = newSubject(), mails: readonly NewDelivery[] = []) => {
      const proof = sample()
      const owner = { subject, accountState: 'state' }
      await proofs().create(proof)
      await proofs().send(proof, owner, mails)
      return { ...proof, ...owner, attempts: 0 }
    }

    test('a proof is found by its link in any browser, and by its page only in its browser', async () => {
      const mail = notice()
      const proof = await sent(newSubject(), [mail])
      const { digest, page, browser } = proof
      assert.deepEqual(await proofs().findByLink(digest, purpose, later(59)), proof)
      assert.equal(await proofs().findByLink(digest, purpose, later(60)), null)
      assert.deepEqual(await proofs().findByPage({ page, browser, purpose }, later(59)), proof)
      assert.equal(await proofs().findByPage({ page, browser, purpose }, later(60)), null)
      assert.equal(await proofs().findByPage({ page, browser: newDigest(), purpose }, now), null)
      assert.ok(await isStored(mail))
    })

    test('AU-05 a proof for no account has a page and no link, also after a mail without a link', async () => {
      const proof = sample()
      const mail = notice()
      await proofs().create(proof)
      await proofs().send(proof, null, [mail])
      assert.equal(await proofs().findByLink(proof.digest, purpose, now), null)
      assert.deepEqual(await proofs().findByPage(proof, now), {
        ...proof,
        ...{ subject: null, accountState: '', attempts: 0 },
      })
      assert.equal(await proofs().take(proof.digest), false)
      assert.equal(await proofs().redeemCode(proof, newDigest()), false)
      assert.ok(await isStored(mail))
    })

    test('AU-14 a new proof replaces earlier ones of the subject, whose pages stay', async () => {
      const first = await sent()
      await sent(first.subject)
      assert.equal(await proofs().findByLink(first.digest, purpose, now), null)
      assert.equal((await proofs().findByPage(first, now))?.subject, null)
    })

    test('AU-13 one of a hundred callers consumes a proof, whose page stays', async () => {
      const proof = await sent()
      assert.equal(winners(await atOnce(100, () => proofs().take(proof.digest))), 1)
      assert.equal(await proofs().findByLink(proof.digest, purpose, now), null)
      assert.equal((await proofs().findByPage(proof, now))?.subject, null)
    })

    test('AU-14 one of a hundred callers redeems a code, and the link of the mail ends', async () => {
      const proof = await sent()
      const links = Array.from({ length: 100 }, newDigest)
      const results = await Promise.all(links.map(link => proofs().redeemCode(proof, link)))
      assert.equal(winners(results), 1)
      const link = links[results.indexOf(true)] ?? proof.digest
      assert.equal(await proofs().findByLink(proof.digest, purpose, now), null)
      assert.equal((await proofs().findByLink(link, purpose, now))?.subject, proof.subject)
      assert.equal(await proofs().redeemCode({ ...proof, digest: link }, newDigest()), false)
    })

    test('AU-14 of a hundred concurrent attempts, as many are counted as are allowed', async () => {
      const proof = await sent()
      assert.equal(winners(await atOnce(100, () => proofs().countAttempt(proof.digest, 5))), 5)
    })
  })
}
