/** Makes the challenge for a passkey as a further factor. */
import { passkeyOptions } from '#app/_ui/passkey-options.ts'
import { pageQuery } from '#lib/http/page-frame.ts'
import { secondFactorOptions } from '#lib/identity/passkeys/second-factor.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = passkeyOptions(
  '/login/second-factor/passkey/options',
  ({ request, services }, browser) => {
    const partial = parseHandle('partial', pageQuery(request).partial)
    return secondFactorOptions(services.pendingPorts(), { partial, browser })
  },
)
