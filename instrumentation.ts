/** Logs errors of pages with the request ID of the response header, which Next does not know. */
import { referenceHeader } from '#lib/http/request-context.ts'
import { reportPageFailure } from '#lib/server/host/page-outcome.ts'

type FailedRequest = { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> }

/** Called by Next. `routePath` is the pattern of the route, never the requested path. */
export function onRequestError(
  error: unknown,
  request: FailedRequest,
  { routePath }: { readonly routePath: string },
): void {
  const reference = request.headers[referenceHeader]
  const requestId = typeof reference === 'string' ? reference : ''
  reportPageFailure(error, { pattern: routePath, requestId })
}
