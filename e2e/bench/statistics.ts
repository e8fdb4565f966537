export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5)
}

/** The quantile of figures, interpolated between neighbors; NaN without figures. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((left, right) => left - right)
  const at = (sorted.length - 1) * share
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(at), Math.floor(at) + 2)
  return below + (above - below) * (at - Math.floor(at))
}
