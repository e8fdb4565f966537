/** What the server finds, read from the very page that people without script see. */

export type Entry = { readonly title: string; readonly note: string } & (
  | { readonly kind: 'link'; readonly href: string }
  | { readonly kind: 'command'; readonly run: () => void }
)
export type Group = { readonly heading: string; readonly entries: readonly Entry[] }

/** `null` when there is no answer: the visit ended, or the server is away. */
export async function findOnServer(text: string, signal: AbortSignal): Promise<readonly Group[] | null> {
  const query = new URLSearchParams({ q: text, from: 'palette' })
  const response = await fetch(`/admin/search?${query}`, { signal, redirect: 'manual' }).catch(() => null)
  if (response?.ok !== true) return null
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return [...page.querySelectorAll('[data-found]')].map(section => ({
    heading: section.querySelector('h2')?.textContent ?? '',
    entries: [...section.querySelectorAll('a[href^="/"]')].map(entryOf),
  }))
}

function entryOf(link: Element): Entry {
  return {
    kind: 'link',
    href: link.getAttribute('href') ?? '',
    title: link.textContent ?? '',
    note: link.parentElement?.querySelector('[data-note]')?.textContent ?? '',
  }
}
