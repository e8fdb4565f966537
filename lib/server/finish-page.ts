/** The last look at a page before it is sent: a failed one is replaced, a good one loses the framework's script. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorPageReply } from '#lib/http/error-page.ts'
import type { EndpointServices } from '#lib/http/exchange.ts'
import { type Refused, refusedBy, refusedFor } from '#lib/http/refused.ts'
import { errorPageReader } from './error-page-reader.ts'
import { withoutFrameworkScript } from './framework-script.ts'
import { outcomeOfPage } from './page-outcome.ts'

export type RenderedPage = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly referenceId: string
  readonly html: string
}

/**
 * What to send instead of `html`; sets status and headers to match. NOTE: where a page throws, Next sends a document
 * without content and leaves it to its script to draw one; an empty page says nothing to anybody without script.
 */
export function finishPage(page: RenderedPage, config: EndpointServices['config']): string {
  const { outgoing, html } = page
  // An endpoint inside Next writes its own pages
  if (outgoing.hasHeader('x-reference-id')) return html
  if (outgoing.statusCode >= 300 && outgoing.statusCode < 400) return emptied(outgoing)
  const refused = refusalOf(page)
  if (refused !== null) return replaced(page, refused, config)
  outgoing.statusCode = numberNamedBy(html, 'status') ?? outgoing.statusCode
  const wait = numberNamedBy(html, 'retry-after')
  if (wait !== null) outgoing.setHeader('retry-after', String(wait))
  return withoutFrameworkScript(html)
}

const metas = {
  status: /<meta name="latchkey:status" content="(4\d\d)"\/?>/,
  'retry-after': /<meta name="latchkey:retry-after" content="(\d{1,6})"\/?>/,
} as const

/** NOTE: a page of Next's can say what is wrong, but not with which status: ours name it in their head. */
function numberNamedBy(html: string, name: keyof typeof metas): number | null {
  const named = metas[name].exec(html)?.[1]
  return named === undefined ? null : Number(named)
}

function emptied(outgoing: ServerResponse): string {
  outgoing.removeHeader('content-type')
  outgoing.removeHeader('link')
  return ''
}

/** Why there is no page: it was not found, something is away, or something failed. `null` when there is one. */
function refusalOf({ outgoing, html, referenceId }: RenderedPage): Refused | null {
  const { statusCode } = outgoing
  if (statusCode < 500 && !/<html id="__next_error__"/.test(html)) return null
  if (statusCode === 404) return refusedFor('not_found')
  return refusedBy(outcomeOfPage(referenceId).failure)
}

function replaced(page: RenderedPage, refused: Refused, config: EndpointServices['config']): string {
  const { incoming, outgoing, referenceId } = page
  const reply = errorPageReply({
    ...errorPageReader(incoming, config.issuer),
    refused,
    config,
    referenceId,
    clientName: null,
    isRepeatable: true,
  })
  outgoing.removeHeader('link')
  outgoing.statusCode = reply.status
  for (const [name, value] of Object.entries(reply.headers)) outgoing.setHeader(name, value)
  return reply.body ?? ''
}
