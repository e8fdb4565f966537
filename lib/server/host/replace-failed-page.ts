/** Sends our own error page when Next answers with a failure: its own page is empty without script. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorPageReply } from '#lib/http/error-page.ts'
import type { EndpointServices } from '#lib/http/exchange.ts'
import { refusedBy } from '#lib/http/refused.ts'
import { errorPageReader } from './error-page-reader.ts'
import { outcomeOfPage } from './page-outcome.ts'

type FailingPage = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly referenceId: string
  readonly config: EndpointServices['config']
}

/** Decided by the status alone, before anything is sent. Answers of our own endpoints inside Next stay as they are. */
export function replaceFailedPage(page: FailingPage): void {
  const { incoming, outgoing } = page
  const { writeHead, write, end, flushHeaders } = outgoing
  let isFailed = false
  outgoing.flushHeaders = () => {
    if (outgoing.statusCode < 500) flushHeaders.call(outgoing)
  }
  outgoing.writeHead = (...given: readonly unknown[]) => {
    const status = typeof given[0] === 'number' ? given[0] : outgoing.statusCode
    isFailed ||= status >= 500 && !outgoing.hasHeader('x-reference-id')
    return isFailed ? outgoing : Reflect.apply(writeHead, outgoing, given)
  }
  outgoing.write = (...given: readonly unknown[]) => {
    if (!outgoing.headersSent && !isFailed) outgoing.writeHead(outgoing.statusCode)
    return isFailed ? true : Reflect.apply(write, outgoing, given)
  }
  outgoing.end = (...given: readonly unknown[]) => {
    if (!outgoing.headersSent && !isFailed) outgoing.writeHead(outgoing.statusCode)
    if (!isFailed) return Reflect.apply(end, outgoing, given)
    const { status, headers, body } = replyFor(page)
    for (const name of ['content-encoding', 'content-length', 'etag', 'link']) outgoing.removeHeader(name)
    Reflect.apply(writeHead, outgoing, [
      status,
      { ...headers, 'content-length': Buffer.byteLength(body ?? '') },
    ])
    return Reflect.apply(end, outgoing, incoming.method === 'HEAD' ? [] : [body ?? ''])
  }
}

function replyFor({ incoming, referenceId, config }: FailingPage) {
  return errorPageReply({
    ...errorPageReader(incoming, config.issuer),
    refused: refusedBy(outcomeOfPage(referenceId).failure),
    config,
    referenceId,
    clientName: null,
    isRepeatable: true,
  })
}
