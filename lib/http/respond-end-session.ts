import { localProvider } from '#lib/protocol/vocabulary.ts'
import { encodeForm } from './read-params.ts'

/** Returns the path of the page that asks before a sign-out. */
export function confirmPath(request: string): string {
  return `/logout?${encodeForm([['request', request]])}`
}

/** Returns the path of the page that shows the result. `ended: null`: there was no session. */
export function donePath(request: string | undefined, ended: { readonly idp: string | null } | null): string {
  const asked = request === undefined ? [] : [['request', request] as const]
  return `/logout/done?${encodeForm([...asked, ...(ended === null ? [] : endedFields(ended.idp))])}`
}

/** Returns the fields of a session that has ended, with its provider, which may still have a session of the user. */
function endedFields(idp: string | null): ReadonlyArray<readonly [string, string]> {
  const isExternal = idp !== null && idp !== localProvider
  return [['ended', '1'], ...(isExternal ? [['provider', idp] as const] : [])]
}
