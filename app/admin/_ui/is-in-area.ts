/** Whether a page belongs to the area at this path. Only `/admin` itself belongs to the overview. */
export function isInArea(path: string, area: string): boolean {
  return path === area || (area !== '/admin' && path.startsWith(`${area}/`))
}
