/** An address as logs and events may contain it: without the values of its query (FW-09). */

const longestName = 40
const longest = 500

/** `uri` with the values of its query and its fragment cut, but for pairs that are `known` to be no secret. */
export function shownUri(uri: string, known: readonly string[] = []): string {
  const [, address = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(uri) ?? []
  const public_ = new Set(known.flatMap(pairsOf))
  const pairs = query?.split('&').map(pair => (public_.has(pair) ? pair : cut(pair)))
  const whole = `${address}${pairs === undefined ? '' : `?${pairs.join('&')}`}${fragment === undefined ? '' : '#…'}`
  return whole.length > longest ? `${whole.slice(0, longest)}…` : whole
}

/** Whether something was cut: what is left cannot be registered. */
export function isCut(shown: string): boolean {
  return shown.includes('…')
}

function pairsOf(uri: string): readonly string[] {
  return /\?([^#]*)/.exec(uri)?.[1]?.split('&') ?? []
}

function cut(pair: string): string {
  const [name = '', value] = pair.split(/=(.*)/s)
  const isName = name.length <= longestName && /^[\w.[\]-]*$/.test(name)
  if (!isName || value === undefined) return pair === '' ? '' : '…'
  return value === '' ? pair : `${name}=…`
}
