/** Distinguishes requests for a page from those of programs, at addresses without an endpoint. */

/**
 * Whether the response should be a page. A GET or HEAD gets one unless its `Accept` prefers JSON to HTML, other methods
 * only if it names HTML, as the form of a page does (RFC 9110 12.5.1).
 */
export function isForPage({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  const accept = headers.get('accept') ?? ''
  const html = qualityOf(accept, 'text/html')
  if (method !== 'GET' && method !== 'HEAD') return html > 0
  return html >= qualityOf(accept, 'application/json')
}

/** Returns the quality of exactly this type; 0 if it is not named. */
function qualityOf(accept: string, wanted: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim())
    if (type !== wanted) continue
    const quality = parameters.find(parameter => parameter.startsWith('q='))
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0
  }
  return 0
}
