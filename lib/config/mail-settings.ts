/** Reads how mails are sent: `SMTP_URL`, `MAIL_FROM`, and the settings of OAuth. */
import { join } from 'node:path'
import { ConfigError } from '#lib/errors/config-error.ts'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'
import { isMailAddress } from '#lib/protocol/text/mail-address.ts'

/** The sender of mails. Without a name, that of the site is used. */
export type MailSender = { readonly name: string | null; readonly address: string }

export type SmtpServer = {
  readonly host: string
  readonly port: number
  /** TLS: from the first byte, after `STARTTLS`, which is then required, or none, for a server on this machine. */
  readonly tls: 'implicit' | 'starttls' | 'none'
  /** The account of this server at the mail server; `null`: none is needed. */
  readonly login: { readonly user: string; readonly secret: string | SmtpOauth } | null
}

/** How access tokens for the mail server are requested. Without a refresh token, by the client credentials grant. */
export type SmtpOauth = {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string | null
  readonly refreshToken: string | null
}

/** How mails are sent. `folder`: they are written to files, for development. `off`: none can be sent. */
export type MailSettings =
  | { readonly kind: 'smtp'; readonly server: SmtpServer; readonly sender: MailSender }
  | { readonly kind: 'folder'; readonly folder: string; readonly sender: MailSender }
  | { readonly kind: 'off' }

type Name =
  | 'SMTP_URL'
  | 'MAIL_FROM'
  | 'SMTP_OAUTH_TOKEN_URL'
  | 'SMTP_OAUTH_CLIENT_ID'
  | 'SMTP_OAUTH_CLIENT_SECRET'
  | 'SMTP_OAUTH_SCOPE'
  | 'SMTP_OAUTH_REFRESH_TOKEN'
type Given = { readonly [N in Name]?: string | undefined }

/**
 * Reads the settings. Without them, mails are written to the data folder if the issuer is a loopback address.
 * @throws ConfigError if a value is invalid, or one that another needs is missing
 */
export function readMailSettings(
  { SMTP_URL: url, MAIL_FROM: from, ...given }: Given,
  { isLoopback, dataDir }: { readonly isLoopback: boolean; readonly dataDir: string },
): MailSettings {
  const sender = from === undefined ? null : readSender(from)
  const oauth = readOauth(given, isLoopback)
  if (url !== undefined) {
    const server = readServer(url, oauth)
    if (sender === null)
      throw new ConfigError(
        'MAIL_FROM is not set, but SMTP_URL is; set it to the sender of mails, such as "Example <noreply@example.com>".',
      )
    return { kind: 'smtp', server, sender }
  }
  if (oauth !== null)
    throw new ConfigError(
      'SMTP_OAUTH_TOKEN_URL is set, but SMTP_URL is not; set SMTP_URL to the mail server, or remove the SMTP_OAUTH settings.',
    )
  if (!isLoopback && sender !== null)
    throw new ConfigError(
      'MAIL_FROM is set, but SMTP_URL is not; set it to the mail server, or remove MAIL_FROM.',
    )
  if (!isLoopback) return { kind: 'off' }
  const folder = join(dataDir, 'mail')
  return { kind: 'folder', folder, sender: sender ?? { name: null, address: 'noreply@localhost' } }
}

/** Parses `noreply@example.com` or `Example <noreply@example.com>`. */
function readSender(text: string): MailSender {
  const [, quoted, plain = '', bracketed] =
    /^(?:"([^"\\\p{Cc}\p{Cf}]{0,100})"|([^<>"\p{Cc}\p{Cf}]{0,100}?))\s*<([^<>]+)>$/u.exec(text) ?? []
  const name = (quoted ?? plain).trim()
  const address = bracketed ?? text
  if (isMailAddress(address)) return { name: name === '' ? null : name, address }
  throw new ConfigError(
    `MAIL_FROM is ${JSON.stringify(text)}, but it must be an address such as noreply@example.com, or "Example <noreply@example.com>".`,
  )
}

function readOauth(given: Omit<Given, 'SMTP_URL' | 'MAIL_FROM'>, isLoopback: boolean): SmtpOauth | null {
  const { SMTP_OAUTH_TOKEN_URL: tokenUrl, SMTP_OAUTH_CLIENT_ID: clientId } = given
  if (tokenUrl === undefined) {
    const [other] =
      Object.entries(given).find(([name, value]) => name.startsWith('SMTP_OAUTH_') && value !== undefined) ??
      []
    if (other === undefined) return null
    throw new ConfigError(`${other} is set, but SMTP_OAUTH_TOKEN_URL is not; set it, or remove ${other}.`)
  }
  const url = URL.parse(tokenUrl)
  const isLocal = isLoopback && url?.protocol === 'http:' && isLoopbackHost(url.hostname)
  if ((url?.protocol !== 'https:' && !isLocal) || url?.username !== '' || url.password !== '')
    throw new ConfigError(
      'SMTP_OAUTH_TOKEN_URL must be an https address without a user and password, such as https://login.example.com/token.',
    )
  const { SMTP_OAUTH_CLIENT_SECRET: clientSecret } = given
  if (clientId === undefined || clientSecret === undefined)
    throw new ConfigError(
      'SMTP_OAUTH_TOKEN_URL is set, but SMTP_OAUTH_CLIENT_ID and SMTP_OAUTH_CLIENT_SECRET are not both set; set them, or remove it.',
    )
  return {
    ...{ tokenUrl, clientId, clientSecret },
    scope: given.SMTP_OAUTH_SCOPE ?? null,
    refreshToken: given.SMTP_OAUTH_REFRESH_TOKEN ?? null,
  }
}

function readServer(text: string, oauth: SmtpOauth | null): SmtpServer {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw urlProblem('it must be an address such as smtps://user:password@mail.example.com')
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw urlProblem('it must end after the host or the port')
  if (oauth !== null && (url.username === '' || url.password !== ''))
    throw urlProblem('it must have a user and no password, because SMTP_OAUTH_TOKEN_URL is set')
  if (oauth === null && (url.username === '') !== (url.password === ''))
    throw urlProblem('it must have a user and a password, or neither')
  const isImplicit = url.protocol === 'smtps:'
  if (url.port === '0') throw urlProblem('its port must be from 1 to 65535')
  if (!isImplicit && url.port === '465') throw urlProblem('port 465 needs smtps://')
  if (isImplicit && (url.port === '587' || url.port === '25'))
    throw urlProblem(`port ${url.port} needs smtp://, which turns TLS on by STARTTLS`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'implicit' : isLoopbackHost(host) ? 'none' : 'starttls',
    login:
      url.username === '' ? null : { user: decoded(url.username), secret: oauth ?? decoded(url.password) },
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw urlProblem('its user or password is not percent-encoded; write "%" as %25')
  }
}

function urlProblem(problem: string): ConfigError {
  return new ConfigError(`SMTP_URL is (not shown), but ${problem}.`)
}
