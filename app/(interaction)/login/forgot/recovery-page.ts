/** Parts of the pages of a forgotten password. */
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'

/** Returns the name for the title: that of the app, else that of the site. */
export function siteOrApp(client: Client | null, siteName: string): string {
  return client === null ? siteName : displayName(client.clientName, client.clientId)
}
