/**
 * A page that goes on by itself to an address of ours. A redirect would carry on the navigation that may have begun at
 * an identity provider, and then browsers keep `SameSite=Strict` cookies back; a page of ours begins a new one.
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
