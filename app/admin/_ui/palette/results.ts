/** What the palette lists. */
import type { SearchGroup } from '../../search/read-results.ts'

export type PaletteEntry = { readonly name: string; readonly note: string } & (
  | { readonly kind: 'link'; readonly href: string }
  | { readonly kind: 'command'; readonly run: () => void }
)
export type PaletteGroup = { readonly heading: string; readonly entries: readonly PaletteEntry[] }

/** `null` when there is no answer: the session ended, or the server cannot be reached. */
export async function fetchResults(
  text: string,
  signal: AbortSignal,
): Promise<readonly PaletteGroup[] | null> {
  try {
    const query = new URLSearchParams({ q: text })
    const response = await fetch(`/admin/search/results?${query}`, { signal, redirect: 'manual' })
    if (!response.ok) return null
    const { groups }: { readonly groups: readonly SearchGroup[] } = await response.json()
    return groups.map(({ heading, results }) => ({
      heading,
      entries: results.map(result => ({ kind: 'link', ...result })),
    }))
  } catch {
    // It was aborted, or the connection broke
    return null
  }
}
