/** Says what is wrong or unwise with each redirect URI while it is typed. The server checks again. */
import type { ClientKind } from '#lib/protocol/client-kind.ts'
import { adviseRedirectUris, type RedirectUriRemark } from '#lib/protocol/redirect-uri-advice.ts'

/** NOTE: by their names, since the schema's module would bring the whole validator into the browser. */
const kinds: ReadonlyMap<string, ClientKind> = new Map(
  Object.entries({ web: 'web', spa: 'spa', native: 'native', machine: 'machine', legacy: 'legacy' } as const),
)

/** `list` is a live region that names the text area, the kind of client and the issuer. */
export function adviseWhileTyping(list: HTMLElement): void {
  const area = document.getElementById(list.dataset.advises ?? '')
  const kind = kinds.get(list.dataset.kind ?? '')
  const { issuer } = list.dataset
  if (!(area instanceof HTMLTextAreaElement) || kind === undefined || issuer === undefined) return
  const remarks = () => adviseRedirectUris(area.value, { kind, issuer })
  const show = (shown: readonly RedirectUriRemark[]) => list.replaceChildren(...shown.map(itemFor))
  // What the server refused stands at the field already, until the text is another one
  const refused = document.getElementById(`${area.id}-error`)
  show(remarks().filter(({ level }) => refused === null || level !== 'error'))
  area.addEventListener('input', () => {
    const all = remarks()
    refused?.remove()
    if (refused !== null) area.ariaInvalid = String(all.some(({ level }) => level === 'error'))
    show(all)
  })
}

function itemFor({ line, level, sentence }: RedirectUriRemark): HTMLLIElement {
  const item = document.createElement('li')
  const place = document.createElement('span')
  item.className = `small ${level}`
  place.className = 'strong'
  place.textContent = `Line ${line}: `
  item.append(place, sentence)
  return item
}
