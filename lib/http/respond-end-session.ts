import { localProvider } from '#lib/protocol/vocabulary.ts'
import { encodeForm } from './read-params.ts'

/** Returns the path of the page that asks before a sign-out. */
export function confirmPath(request: string): string {
  return `/logout?${encodeForm([['request', request]])}`
}

type EndedSession = {
  /** The provider, which may still have a session of the user. */
  readonly idp: string | null
  /** Whether other accounts stay signed in in this browser. */
  readonly hasOthers: boolean
}

/** Returns the path of the page that shows the result. `ended: null`: there was no session. */
export function donePath(request: string | undefined, ended: EndedSession | null): string {
  const asked = request === undefined ? [] : [['request', request] as const]
  return `/logout/done?${encodeForm([...asked, ...(ended === null ? [] : endedFields(ended))])}`
}

function endedFields({ idp, hasOthers }: EndedSession): ReadonlyArray<readonly [string, string]> {
  const isExternal = idp !== null && idp !== localProvider
  return [
    ['ended', '1'],
    ...(isExternal ? [['provider', idp] as const] : []),
    ...(hasOthers ? [['others', '1'] as const] : []),
  ]
}
