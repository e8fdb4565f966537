/** Reports errors in pages with the ID of their request. */
import { referenceHeader } from '#lib/http/request-context.ts'
import { reportPageFailure } from '#lib/server/host/page-outcome.ts'

type FailedRequest = { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> }

/** Called by Next. `routePath` is the pattern of the route, not the requested path. */
export function onRequestError(
  error: unknown,
  request: FailedRequest,
  { routePath }: { readonly routePath: string },
): void {
  const reference = request.headers[referenceHeader]
  const requestId = typeof reference === 'string' ? reference : ''
  reportPageFailure(error, { pattern: routePath, requestId })
}
