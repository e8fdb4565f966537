/** The new recovery codes of the signed-in user, for the page that shows them and for the file. */
import type { Exchange } from '#lib/http/exchange.ts'
import { type NewCodes, readNewCodes } from '#lib/http/two-step-cookie.ts'
import { accountLabel } from '#lib/identity/account.ts'
import { currentSession } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import type { Services } from '#lib/server/services.ts'

export type CodesOfUser = { readonly codes: NewCodes; readonly account: string }

/** Returns the codes that this browser may still show; `null` if there are none, or no user is signed in. */
export async function codesOfUser({
  request,
  cookies,
  services: { ports, sealing, config },
}: Exchange<Services>): Promise<CodesOfUser | null> {
  const session = await currentSession(ports, cookies.session)
  if (session === null) return null
  const { subject } = session
  const codes = readNewCodes(sealing, request.headers.get('cookie'), { subject, issuer: config.issuer })
  if (codes === null) return null
  return { codes, account: displayName(await accountLabel(ports, session), subject) }
}

/** The line above printed codes and in the file. */
export function headingOfCodes(
  { t, siteName }: Pick<Frame, 't' | 'siteName'>,
  { account }: Pick<CodesOfUser, 'account'>,
): string {
  return t('twoStep.codesFor', { account, site: siteName })
}
