/**
 * A rejected form may be as long as a whole configuration, and waits for a quarter of an hour. What one browser leaves is
 * bounded: the oldest makes room for the newest, which always stays (LIM-06).
 */
import { adminSession } from '#lib/config/limits.ts'
import type { AdminFlash, AdminFlashes } from '#lib/ports/administration.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { Digest } from '#lib/protocol/ids.ts'

type Bounds = { readonly flashesKept: number; readonly flashCharacters: number }
type Kept = Pick<AdminFlash, 'digest' | 'expiresAt'> & { readonly characters: number }

/** NOTE: it knows what this process kept. On several nodes each has the bound for itself. */
export function boundedFlashes(
  flashes: AdminFlashes,
  clock: Clock,
  bounds: Bounds = adminSession,
): AdminFlashes {
  const shelves = new Map<Digest, readonly Kept[]>()

  function keepOnly(isWanted: (kept: Kept) => boolean): void {
    for (const [owner, shelf] of shelves) {
      const left = shelf.filter(isWanted)
      if (left.length === 0) shelves.delete(owner)
      else shelves.set(owner, left)
    }
  }

  return {
    find: flashes.find,
    create: async flash => {
      await flashes.create(flash)
      const now = clock.now()
      keepOnly(({ expiresAt }) => expiresAt > now)
      const { sessionDigest: owner, digest, expiresAt, sealedContent } = flash
      const shelf = [...(shelves.get(owner) ?? []), { digest, expiresAt, characters: sealedContent.length }]
      const surplus = surplusOf(shelf, bounds)
      shelves.set(owner, shelf.slice(surplus))
      for (const old of shelf.slice(0, surplus)) await flashes.take(old.digest, owner, now)
    },
    take: async (digest, owner, now) => {
      keepOnly(kept => kept.digest !== digest)
      return flashes.take(digest, owner, now)
    },
  }
}

/** How many of the oldest must go. */
function surplusOf(shelf: readonly Kept[], { flashesKept, flashCharacters }: Bounds): number {
  let characters = 0
  const fitting = shelf.toReversed().findIndex((kept, index) => {
    characters += kept.characters
    return index > 0 && (index >= flashesKept || characters > flashCharacters)
  })
  return fitting === -1 ? 0 : shelf.length - fitting
}
