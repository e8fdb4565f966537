/** Checks the public address as apps and browsers reach it: name, TLS, proxy, clock, headers and cookies. */
import { doctor as limits } from '#lib/config/limits.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { type Answer, ask, type NoAnswer } from './ask.ts'
import { type Finding, failure, good, warning } from './finding.ts'

const metadataPath = '/.well-known/openid-configuration'

/**
 * Returns the findings about the issuer. If no server of this issuer answers there, the other checks are left out. `plain`: the
 * address of the same host without TLS.
 */
export async function checkPublicAddress(
  issuer: string,
  plain = plainAddress(issuer),
): Promise<readonly Finding[]> {
  const metadata = await ask(ownUrl(issuer, metadataPath))
  const reached = reachedFinding(issuer, metadata)
  if (metadata.kind === 'none' || reached.severity === 'error') return [reached]
  const [page, cookies, long, metrics, withoutTls] = await Promise.all([
    ask(ownUrl(issuer, '/login')),
    // A page that sets a cookie in every browser
    ask(ownUrl(issuer, '/admin/sign-in')),
    ask(ownUrl(issuer, `/login?padding=${'x'.repeat(limits.queryBytes)}`)),
    ask(ownUrl(issuer, '/metrics')),
    issuer.startsWith('https:') ? ask(plain) : null,
  ])
  return [
    reached,
    clockFinding(metadata),
    ...tlsFindings(issuer, metadata),
    ...(withoutTls === null ? [] : [plainFinding(withoutTls)]),
    ...pageFindings(page),
    ...cookieFindings(issuer, cookies),
    queryFinding(page, long),
    metricsFinding(metrics),
  ]
}

function plainAddress(issuer: string): string {
  const url = new URL(issuer)
  url.protocol = 'http:'
  // Another port of the issuer serves only TLS
  url.port = ''
  return url.href
}

const causes: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name has no address. Add a DNS record, or correct ISSUER',
  EAI_AGAIN: 'its name could not be looked up. Check the DNS server of this machine',
  ECONNREFUSED: 'nothing listens there. Start the server or the proxy, or correct ISSUER',
  ETIMEDOUT: 'there is no response. Check the firewall and the proxy',
  CERT_HAS_EXPIRED: 'its certificate has expired. Renew it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for a different name. Get one for the host of ISSUER',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed. Get one from an authority, or name yours in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is unknown. Name its certificate in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its chain is incomplete. Let the proxy send the intermediate certificates, too',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its authority is unknown. Name its certificate in NODE_EXTRA_CA_CERTS, or let the proxy send the whole chain',
}

function reachedFinding(issuer: string, metadata: Answer | NoAnswer): Finding {
  const check = 'address'
  if (metadata.kind === 'none') {
    const [why, fix] = (causes[metadata.code] ?? `${metadata.code}. Try it with curl`).split('. ')
    return failure(check, `${issuer} cannot be reached: ${why}.`, `${fix}.`)
  }
  const { status, headers, body } = metadata
  if (headers['x-reference-id'] === undefined)
    return failure(
      check,
      `Something else answers at ${issuer}${metadataPath}, with the status ${status}.`,
      'Let the proxy pass all paths to Latchkey, and its response headers back.',
    )
  if (status !== 200)
    return failure(
      check,
      `${issuer}${metadataPath} has the status ${status}.`,
      `Find the request ${headers['x-reference-id']} in the log.`,
    )
  const named = issuerIn(body)
  if (named !== issuer)
    return failure(
      check,
      `The metadata at ${issuer} names ${named ?? 'no issuer'}.`,
      'Set the same ISSUER for all nodes and for this command.',
    )
  return good(check, `${issuer} answers with its metadata.`)
}

function issuerIn(body: string): string | null {
  try {
    const read: unknown = JSON.parse(body)
    return isRecord(read) && typeof read.issuer === 'string' ? read.issuer : null
  } catch {
    return null
  }
}

function clockFinding({ headers, receivedAt }: Answer): Finding {
  const check = 'clock'
  const sent = new Date(headers.date ?? '')
  const seconds = Math.round(Math.abs(receivedAt.getTime() - sent.getTime()) / 1000)
  const fix = 'Let both machines keep their time by NTP: tokens are refused when clocks differ.'
  if (Number.isNaN(seconds))
    return warning(check, 'The response has no date.', 'Let the proxy pass the header Date.')
  const text = `The clocks here and there differ by ${seconds} s.`
  if (seconds > limits.clockErrorSeconds) return failure(check, text, fix)
  return seconds > limits.clockWarningSeconds ? warning(check, text, fix) : good(check, text)
}

function tlsFindings(issuer: string, { tls, headers, receivedAt }: Answer): readonly Finding[] {
  if (tls === null) {
    const { hostname } = new URL(issuer)
    if (isLoopbackHost(hostname)) return [good('tls', 'A loopback address needs no TLS.')]
    return [
      failure('tls', 'The address has no TLS.', 'Put a proxy with TLS in front, and set ISSUER to https.'),
    ]
  }
  const days = Math.floor((tls.endsAt.getTime() - receivedAt.getTime()) / 86_400_000)
  const lasts = `The certificate is valid for ${days} more days.`
  const certificate =
    days < limits.certificateDays
      ? warning('certificate', lasts, 'Renew it, and check why it was not renewed automatically.')
      : good('certificate', lasts)
  const hsts =
    headers['strict-transport-security'] === undefined
      ? warning(
          'hsts',
          'Browsers do not remember to use TLS.',
          'Let the proxy pass the header Strict-Transport-Security, or add it.',
        )
      : good('hsts', 'Browsers remember to use TLS.')
  return [good('tls', `The connection is encrypted with ${tls.protocol}.`), certificate, hsts]
}

function plainFinding(plain: Answer | NoAnswer): Finding {
  const check = 'http'
  if (plain.kind === 'none') return good(check, 'Nothing answers without TLS.')
  const { status, headers } = plain
  if (status >= 300 && status < 400 && headers.location?.startsWith('https:') === true)
    return good(check, 'Requests without TLS are redirected.')
  return warning(
    check,
    `A request without TLS has the status ${status} and is not redirected to https.`,
    'Let the proxy redirect http to https.',
  )
}

function pageFindings(page: Answer | NoAnswer): readonly Finding[] {
  if (page.kind === 'none')
    return [failure('page', `The sign-in page cannot be reached: ${page.code}.`, 'Try it in a browser.')]
  const { headers } = page
  const policy = headers['content-security-policy'] ?? ''
  return [
    policy.includes("default-src 'none'")
      ? good('policy', 'The content security policy arrives.')
      : failure(
          'policy',
          'The content security policy does not arrive as it was sent.',
          'Let the proxy pass the header Content-Security-Policy unchanged.',
        ),
    String(headers['cache-control']).includes('no-store')
      ? good('cache', 'Pages are not stored by caches.')
      : failure('cache', 'Caches may store pages.', 'Let the proxy pass the header Cache-Control unchanged.'),
    headers['content-encoding'] === undefined
      ? good('compression', 'Pages are not compressed.')
      : warning(
          'compression',
          'A proxy compresses pages, so the length of a response can reveal secrets in it.',
          'Compress only /assets and static files.',
        ),
  ]
}

function cookieFindings(issuer: string, answer: Answer | NoAnswer): readonly Finding[] {
  const lines = answer.kind === 'none' ? [] : (answer.headers['set-cookie'] ?? [])
  // On a laptop, 403 also means that there is no administrator yet
  if (answer.kind === 'answer' && answer.status === 403 && issuer.startsWith('https:'))
    return [
      warning(
        'cookie',
        'Cookies cannot be checked: this machine may not open the dashboard.',
        'Add its address to LATCHKEY_ADMIN_ADDRESSES, and run the command again.',
      ),
    ]
  return lines.map(line => cookieFinding(issuer, line))
}

function cookieFinding(issuer: string, line: string): Finding {
  const check = 'cookie'
  const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
  const [name = ''] = pair.split('=')
  const flags = attributes.map(attribute => attribute.toLowerCase())
  const isSecure = issuer.startsWith('https:')
  const missing = [
    ...(flags.includes('httponly') ? [] : ['HttpOnly']),
    ...(flags.some(flag => flag.startsWith('samesite=')) ? [] : ['SameSite']),
    ...(isSecure && !flags.includes('secure') ? ['Secure'] : []),
  ]
  if (missing.length === 0) return good(check, `The cookie ${name} arrives with its attributes.`)
  return failure(
    check,
    `The cookie ${name} arrives without ${missing.join(', ')}.`,
    'Let the proxy pass the header Set-Cookie unchanged.',
  )
}

function queryFinding(page: Answer | NoAnswer, long: Answer | NoAnswer): Finding {
  const check = 'long requests'
  const isPassed =
    long.kind === 'answer' &&
    page.kind === 'answer' &&
    long.status === page.status &&
    long.headers['x-reference-id'] !== undefined
  return isPassed
    ? good(check, `A query of ${limits.queryBytes} bytes arrives.`)
    : failure(
        check,
        `A query of ${limits.queryBytes} bytes does not arrive, so requests with long tokens fail.`,
        'Let the proxy accept request heads of 64 kB: docs/proxies.md.',
      )
}

function metricsFinding(metrics: Answer | NoAnswer): Finding {
  const isOpen = metrics.kind === 'answer' && metrics.status === 200
  return isOpen
    ? failure('metrics', 'Everyone can read the metrics.', 'Let the proxy refuse /metrics.')
    : good('metrics', 'Strangers cannot read metrics.')
}
