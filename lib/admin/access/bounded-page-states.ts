/** Limits the page states of each owner, such as a browser session; the oldest are deleted first. */
import { adminSession } from '#lib/config/limits.ts'
import type { AdminPageState, AdminPageStates } from '#lib/ports/administration.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { Digest } from '#lib/protocol/ids.ts'

type Bounds = { readonly pageStatesKept: number; readonly pageStateCharacters: number }
type Kept = Pick<AdminPageState, 'digest' | 'expiresAt'> & { readonly characters: number }

/** NOTE: the limit counts only states that this process created: several processes together keep more. */
export function boundedPageStates(
  states: AdminPageStates,
  clock: Clock,
  bounds: Bounds = adminSession,
): AdminPageStates {
  const keptOf = new Map<Digest, readonly Kept[]>()

  function keepOnly(isWanted: (kept: Kept) => boolean): void {
    for (const [owner, all] of keptOf) {
      const left = all.filter(isWanted)
      if (left.length === 0) keptOf.delete(owner)
      else keptOf.set(owner, left)
    }
  }

  return {
    find: states.find,
    create: async state => {
      await states.create(state)
      const now = clock.now()
      keepOnly(({ expiresAt }) => expiresAt > now)
      const { sessionDigest: owner, digest, expiresAt, sealedContent } = state
      const all = [...(keptOf.get(owner) ?? []), { digest, expiresAt, characters: sealedContent.length }]
      const surplus = surplusOf(all, bounds)
      keptOf.set(owner, all.slice(surplus))
      for (const old of all.slice(0, surplus)) await states.take(old.digest, owner, now)
    },
    take: async (digest, owner, now) => {
      keepOnly(kept => kept.digest !== digest)
      return states.take(digest, owner, now)
    },
  }
}

/** The number of oldest states to delete. */
function surplusOf(all: readonly Kept[], { pageStatesKept, pageStateCharacters }: Bounds): number {
  let characters = 0
  const fitting = all.toReversed().findIndex((kept, index) => {
    characters += kept.characters
    return index > 0 && (index >= pageStatesKept || characters > pageStateCharacters)
  })
  return fitting === -1 ? 0 : all.length - fitting
}
