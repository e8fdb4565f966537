/**
 * Whether the person's browser went here itself, rather than an image or frame of another page (LO-03).
 * A browser that does not say counts as one that did not: the person is then asked.
 */
export function isTopLevelNavigation(request: Request): boolean {
  return (
    request.headers.get('sec-fetch-mode') === 'navigate' &&
    request.headers.get('sec-fetch-dest') === 'document'
  )
}
