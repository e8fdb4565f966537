/** Reads how mails are sent: `SMTP_URL` and `MAIL_FROM`. */
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
  readonly user: string | null
  readonly password: string | null
}

/** How mails are sent. `folder`: they are written to files, for development. `off`: none can be sent. */
export type MailSettings =
  | { readonly kind: 'smtp'; readonly server: SmtpServer; readonly sender: MailSender }
  | { readonly kind: 'folder'; readonly folder: string; readonly sender: MailSender }
  | { readonly kind: 'off' }

type Given = { readonly SMTP_URL?: string | undefined; readonly MAIL_FROM?: string | undefined }

/**
 * Reads the settings. Without them, mails are written to the data folder if the issuer is a loopback address.
 * @throws ConfigError if a value is invalid, or one of the two is missing
 */
export function readMailSettings(
  { SMTP_URL: url, MAIL_FROM: from }: Given,
  { isLoopback, dataDir }: { readonly isLoopback: boolean; readonly dataDir: string },
): MailSettings {
  const sender = from === undefined ? null : readSender(from)
  if (url !== undefined) {
    const server = readServer(url)
    if (sender === null)
      throw new ConfigError(
        'MAIL_FROM is not set, but SMTP_URL is; set it to the sender of mails, such as "Example <noreply@example.com>".',
      )
    return { kind: 'smtp', server, sender }
  }
  if (!isLoopback) return { kind: 'off' }
  const folder = join(dataDir, 'mail')
  return { kind: 'folder', folder, sender: sender ?? { name: null, address: 'noreply@localhost' } }
}

/** Parses `noreply@example.com` or `Example <noreply@example.com>`. */
function readSender(text: string): MailSender {
  const [, name = '', bracketed] = /^([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>$/u.exec(text) ?? []
  const address = bracketed ?? text
  if (isMailAddress(address)) return { name: name.trim() === '' ? null : name.trim(), address }
  throw new ConfigError(
    `MAIL_FROM is ${JSON.stringify(text)}, but it must be an address such as noreply@example.com, or "Example <noreply@example.com>".`,
  )
}

function readServer(text: string): SmtpServer {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw urlProblem('it must be an address such as smtps://user:password@mail.example.com')
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw urlProblem('it must end after the host or the port')
  if ((url.username === '') !== (url.password === ''))
    throw urlProblem('it must have a user and a password, or neither')
  const isImplicit = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'implicit' : isLoopbackHost(host) ? 'none' : 'starttls',
    user: decoded(url.username),
    password: decoded(url.password),
  }
}

function decoded(part: string): string | null {
  if (part === '') return null
  try {
    return decodeURIComponent(part)
  } catch {
    throw urlProblem('its user or password is not percent-encoded; write "%" as %25')
  }
}

function urlProblem(problem: string): ConfigError {
  return new ConfigError(`SMTP_URL is (not shown), but ${problem}.`)
}
