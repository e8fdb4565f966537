/** "Did you mean": the known name that a mistyped one was probably meant to be. */

/** The nearest candidate, ignoring case and separators: two letters away, in long words a third; null when none is near. */
export function closestName(word: string, candidates: Iterable<string>): string | null {
  const sought = plain(word)
  let best: string | null = null
  let bestDistance = furthest(sought) + 1
  for (const candidate of candidates) {
    const distance = editDistance(sought, plain(candidate))
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** The closest candidate; otherwise the shortest that contains the whole word, as "required-s256" contains "S256". */
export function meantName(word: string, candidates: Iterable<string>): string | null {
  const names = [...candidates]
  const near = closestName(word, names)
  if (near !== null || word.length < 4) return near
  const sought = plain(word)
  const holding = names.filter(name => sought !== '' && plain(name).includes(sought))
  return holding.sort((left, right) => left.length - right.length)[0] ?? null
}

/** `"<word>" is not a known <what>`, with the name that was probably meant when there is one. */
export function unknownName(word: string, what: string, candidates: Iterable<string>): string {
  const meant = meantName(word, candidates)
  const shown = word.length > 60 ? `${word.slice(0, 60)}…` : word
  return `"${shown}" is not a known ${what}${meant === null ? '' : `; did you mean "${meant}"?`}`
}

function furthest(word: string): number {
  return word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '').slice(0, 60)
}

/** Levenshtein's distance. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...right].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[right.length] ?? 0
}
