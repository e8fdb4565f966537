/** OAuth 2.0 Form Post Response Mode (AZ-10). */
import { type FormPost, FormPostPage } from '#lib/pages/form-post-page.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import { pageReply } from './page-frame.ts'
import type { Reply } from './reply.ts'

/** The SHA-256 of `formPostScript`; a test recomputes it. */
const scriptHash = 'ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE='
/** NOTE: no `form-action`: Chromium would apply it also to the client's redirects after the post. */
const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'`

export function formPostReply(frame: Frame, post: FormPost): Reply {
  const document = FormPostPage({ ...post, frame: { ...frame, nonce: null } })
  return pageReply(frame, document, { headers: { 'content-security-policy': policy } })
}
