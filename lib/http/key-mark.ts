/** Our mark, a key: its lines for `app/_ui/key-mark.tsx`, the whole picture for pages made without React. */

export const keyBow = { cx: 8, cy: 8, r: 4.75 } as const
export const keyBlade = 'M11.4 11.4 20 20m-3.2-3.2 2.2-2.2m-5-1 1.8-1.8'

/** Drawn in the colour of its surroundings. */
export function keyMark(size: number): string {
  return (
    `<svg class="mark" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" ` +
    'stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">' +
    `<circle cx="${keyBow.cx}" cy="${keyBow.cy}" r="${keyBow.r}"/><path d="${keyBlade}"/></svg>`
  )
}
