/** A client as users see it: its name is untrusted text. */
import { displayName } from '#lib/protocol/text/display-text.ts'

export type ShownApp = { readonly name: string; readonly clientId: string; readonly logoUri: string | null }

type Described = { readonly clientId: string; readonly clientName: string; readonly logoUri: string | null }

/**
 * NOTE: a picture is shown only when it lies on our own origin: the pages load nothing from elsewhere, so that no
 * stranger learns who is signing in, and no stranger's file is drawn next to a password.
 */
export function shownApp({ clientId, clientName, logoUri }: Described, issuer: string): ShownApp {
  const isOwn = logoUri !== null && URL.parse(logoUri)?.origin === new URL(issuer).origin
  return { name: displayName(clientName, clientId), clientId, logoUri: isOwn ? logoUri : null }
}
