/**
 * A page that redirects by itself to an address of this server. An HTTP redirect would continue a navigation from an
 * identity provider, in which browsers send no `SameSite=Strict` cookies; a page starts a new navigation.
 */
import { LandingPage } from '#lib/pages/landing-page.tsx'
import type { Exchange } from './exchange.ts'
import { pageFrame, pageReply } from './page-frame.ts'
import type { Reply } from './reply.ts'

/** `address` is a path of this origin, percent-encoded. */
export function landingReply(exchange: Exchange, address: string): Reply {
  const frame = { ...pageFrame(exchange), nonce: null }
  return pageReply(frame, LandingPage({ frame, address }), {
    headers: { refresh: `0;url=${address}` },
  })
}
