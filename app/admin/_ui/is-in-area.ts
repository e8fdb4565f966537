/** Whether a page belongs to the area at `area`; the overview has no pages but itself. */
export function isInArea(path: string, area: string): boolean {
  return path === area || (area !== '/admin' && path.startsWith(`${area}/`))
}
