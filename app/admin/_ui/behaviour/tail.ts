/** Asks now and then what came since, and offers it: a list that moves while it is read is of no use. */
const everyMs = 3000

/** `place` is a live region that names the newest event shown and the filter of the list. */
export function followEvents(place: HTMLElement): void {
  const { newest = '', query = '' } = place.dataset
  const link = document.createElement('a')
  link.className = 'btn small'
  link.href = `/admin/events${query === '' ? '' : `?${query}`}`
  const timer = setInterval(async () => {
    if (document.hidden) return
    const newer = await countNewer(query, newest)
    if (newer === 'ended') clearInterval(timer)
    if (newer === 'ended' || newer === 0) return
    link.textContent = newer === 1 ? 'Show 1 new event' : `Show ${newer} new events`
    if (!link.isConnected) place.append(link)
  }, everyMs)
}

/** None while the server is away. Whoever is signed out, or may not look any more, does not ask again. */
async function countNewer(query: string, newest: string): Promise<number | 'ended'> {
  const asked = `${query === '' ? '' : `${query}&`}${new URLSearchParams({ newest })}`
  try {
    const response = await fetch(`/admin/tail?${asked}`, { redirect: 'manual' })
    if (response.status === 403) return 'ended'
    return response.ok ? numberIn(await response.json()) : 0
  } catch {
    return 0
  }
}

function numberIn(answer: unknown): number {
  const isAnswer = typeof answer === 'object' && answer !== null && 'newer' in answer
  return isAnswer && typeof answer.newer === 'number' ? answer.newer : 0
}
