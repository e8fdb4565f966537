/** Runs the same function many times concurrently. */

export function atOnce<T>(times: number, run: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => run(index)))
}

/** Returns how many callers won. */
export function winners(results: readonly boolean[]): number {
  return results.filter(Boolean).length
}

/** Runs `rounds` races of `racers` and returns how many rounds did not have exactly one winner. */
export async function badRounds(
  { rounds, racers }: { rounds: number; racers: number },
  race: () => Promise<() => Promise<boolean>>,
): Promise<number> {
  let bad = 0
  for (let round = 0; round < rounds; round += 1) {
    const run = await race()
    const results = await atOnce(racers, run)
    if (results.filter(Boolean).length !== 1) bad += 1
  }
  return bad
}
