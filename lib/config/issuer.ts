/** The issuer: the one public address, from which every link and every token's `iss` is made. */
import { ConfigError } from '#lib/errors/config-error.ts'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'

/**
 * CF-01. Throws a ConfigError unless the issuer is an https origin, or an http one that is loopback or allowed by the
 * development switch.
 */
export function checkIssuer(
  issuer: string,
  allowInsecureHttp: boolean,
): { isLoopback: boolean; insecureHttp: boolean } {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw refusal(issuer, 'it must be an address such as "https://login.example.com"')
  }
  if (issuer.includes('@')) {
    throw refusal(issuer, `it must not contain a user name or password, so use "${url.origin}"`)
  }
  if (url.origin !== issuer) {
    throw refusal(issuer, `it must be an origin without path, slash or default port, so use "${url.origin}"`)
  }
  const isLoopback = isLoopbackHost(url.hostname)
  const insecureHttp = url.protocol === 'http:' && !isLoopback
  if (insecureHttp && !allowInsecureHttp) {
    throw refusal(
      issuer,
      'plain http is not encrypted; use https, or set LATCHKEY_INSECURE_HTTP=true for development',
    )
  }
  return { isLoopback, insecureHttp }
}

function refusal(issuer: string, rule: string): ConfigError {
  // The part before "@" may be a password
  const shown = issuer.includes('@') ? '(not shown)' : JSON.stringify(issuer)
  return new ConfigError(`ISSUER is ${shown}, but ${rule}.`)
}
