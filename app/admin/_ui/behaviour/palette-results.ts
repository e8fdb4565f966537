/** What the server finds, read from the very page that people without script see. */

export type Entry = { readonly title: string; readonly note: string } & (
  | { readonly kind: 'link'; readonly href: string }
  | { readonly kind: 'command'; readonly run: () => void }
)
export type Group = { readonly heading: string; readonly entries: readonly Entry[] }

/** `null` when there is no answer: the visit ended, or the server is away. */
export async function findOnServer(text: string, signal: AbortSignal): Promise<readonly Group[] | null> {
  const html = await searchPage(new URLSearchParams({ q: text, from: 'palette' }), signal)
  if (html === null) return null
  const page = new DOMParser().parseFromString(html, 'text/html')
  return [...page.querySelectorAll('[data-found]')].map(section => ({
    heading: section.querySelector('h2')?.textContent ?? '',
    entries: [...section.querySelectorAll('a[href^="/"]')].map(entryOf),
  }))
}

async function searchPage(query: URLSearchParams, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(`/admin/search?${query}`, { signal, redirect: 'manual' })
    return response.ok ? await response.text() : null
  } catch {
    // Nobody waits for it any more, or the line broke
    return null
  }
}

function entryOf(link: Element): Entry {
  return {
    kind: 'link',
    href: link.getAttribute('href') ?? '',
    title: link.textContent ?? '',
    note: link.parentElement?.querySelector('[data-note]')?.textContent ?? '',
  }
}
