/** Returns the region of the user with the tokens, so that the app knows which of your APIs to call. */
import type { Extensions } from '#lib/ports/extensions.ts'
import type { Claims } from '#lib/protocol/claims.ts'

/** The region of each user. Replace it with a look-up in your own system. */
const regions: Readonly<Record<string, string>> = { alice: 'eu', bob: 'us' }

const extensions: Extensions = {
  async tokenResponse({ subject }): Promise<Claims> {
    return subject === null ? {} : { region: regions[subject] ?? 'eu' }
  },
}
export default extensions
