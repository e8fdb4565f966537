/** An app as a person sees it: its name is somebody else's text. */
import { displayName } from '#lib/protocol/display-text.ts'

export type ShownApp = { readonly name: string; readonly clientId: string; readonly logoUri: string | null }

type Described = { readonly clientId: string; readonly clientName: string; readonly logoUri: string | null }

export function shownApp({ clientId, clientName, logoUri }: Described): ShownApp {
  return { name: displayName(clientName, clientId), clientId, logoUri }
}
