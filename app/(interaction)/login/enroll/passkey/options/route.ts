/** Makes the challenge for a new passkey in the middle of a sign-in. */
import { passkeyOptions } from '#app/_ui/passkey-options.ts'
import { pageQuery } from '#lib/http/page-frame.ts'
import { enrollPasskeyOptions } from '#lib/identity/enrollment/enroll-passkey.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = passkeyOptions(
  '/login/enroll/passkey/options',
  ({ request, services }, browser) => {
    const partial = parseHandle('partial', pageQuery(request).partial)
    const { siteName } = services.config
    return enrollPasskeyOptions(services.pendingPorts(), { partial, browser, siteName })
  },
)
