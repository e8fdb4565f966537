/** Requests of the doctor: as a browser or an app sends them, without following redirects. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { TLSSocket } from 'node:tls'
import { doctor as limits } from '#lib/config/limits.ts'

export type Answer = {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The connection, if it is encrypted. */
  readonly tls: { readonly protocol: string; readonly endsAt: Date } | null
  readonly receivedAt: Date
}

export type NoAnswer = {
  readonly kind: 'none'
  /** The code of the error, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`. */
  readonly code: string
}

/**
 * Sends a request, which never throws: an error of the network is a result. With a `form`, it is a POST request. Reads at most
 * `limits.bodyBytes`.
 */
export function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  form: Readonly<Record<string, string>> | null = null,
): Promise<Answer | NoAnswer> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const signal = AbortSignal.timeout(limits.timeoutMs)
  return new Promise(done => {
    const failed = (error: NodeJS.ErrnoException) =>
      done({ kind: 'none', code: signal.aborted ? 'ETIMEDOUT' : (error.code ?? error.name) })
    const body = form === null ? '' : new URLSearchParams(form).toString()
    const type = form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    send(
      url,
      {
        method: form === null ? 'GET' : 'POST',
        headers: { 'accept-encoding': 'gzip, br', accept: '*/*', ...type, ...headers },
        signal,
        agent: false,
      },
      answer => readAnswer(answer).then(done, failed),
    )
      .on('error', failed)
      .end(body)
  })
}

async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const tls = answer.socket instanceof TLSSocket ? tlsOf(answer.socket) : null
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    size += chunk.length
    if (size > limits.bodyBytes) break
    chunks.push(chunk)
  }
  const { statusCode: status = 0, headers } = answer
  return {
    kind: 'answer',
    status,
    headers,
    body: Buffer.concat(chunks).toString(),
    tls,
    receivedAt: new Date(),
  }
}

function tlsOf(socket: TLSSocket): Answer['tls'] {
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    endsAt: new Date(socket.getPeerCertificate().valid_to),
  }
}
