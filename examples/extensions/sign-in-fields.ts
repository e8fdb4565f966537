/**
 * Users of a wholesaler sign in with their own password and the number of the customer for whom they buy, which becomes a claim
 * of their tokens. A wrong number is refused like a wrong password, and only after the check of the password, so that a response
 * does not reveal which of the two is wrong.
 */
import type { Extensions } from '#lib/ports/extensions.ts'

/** The buyers by the number of their customer. Replace it with your own system. */
const buyers = new Map([['4711', new Set(['alice', 'bob'])]])

const extensions: Extensions = {
  signInFields: [
    {
      name: 'customer',
      label: { en: 'Customer number', de: 'Kundennummer' },
      type: 'number',
      required: true,
    },
  ],
  userService: (_users, standard) => ({
    ...standard,
    async authenticate(credentials, hints) {
      const answer = await standard.authenticate(credentials, hints)
      const isBuyer = buyers.get(hints.fields?.customer ?? '')?.has(credentials.username) === true
      return answer.kind === 'refused' || isBuyer ? answer : { kind: 'refused', message: null }
    },
  }),
  async postAuthenticate({ fields }) {
    return { kind: 'accepted', claims: { customer: fields?.customer ?? null } }
  },
}
export default extensions
