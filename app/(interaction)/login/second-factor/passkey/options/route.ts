/** Makes the challenge for a passkey as a further factor. */
import { passkeyOptions } from '#app/_ui/passkey-options.ts'
import { pageQuery } from '#lib/http/page-frame.ts'
import { passkeyFactorOptions } from '#lib/identity/passkeys/passkey-step.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = passkeyOptions(
  '/login/second-factor/passkey/options',
  ({ request, services }, browser) => {
    const partial = parseHandle('partial', pageQuery(request).partial)
    return passkeyFactorOptions(services.pendingPorts(), { partial, browser })
  },
)
