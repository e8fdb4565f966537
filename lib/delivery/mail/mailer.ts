/** Sends mails: to an SMTP server, or to files in the data folder for development. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mail as limits } from '#lib/config/limits.ts'
import type { MailSender, MailSettings, SmtpServer } from '#lib/config/mail-settings.ts'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'
import type { Sent } from '../send-deliveries.ts'
import type { StoredMail } from './mail-folder.ts'
import { createTokenSource, type TokenSource } from './smtp-token.ts'

/** A written mail. `id`: the same for all attempts, so that a receiver can recognize a repeated one. */
export type WrittenMail = {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends a mail. An attempt that is not over when the signal aborts counts as failed. */
export type Mailer = (mail: WrittenMail, signal: AbortSignal) => Promise<Sent>

type MailerParts = { readonly siteName: string; readonly issuer: string }

/** Creates the mailer; `null` if mail is off. */
export function createMailer(settings: MailSettings, parts: MailerParts): Mailer | null {
  switch (settings.kind) {
    case 'smtp':
      return smtpMailer(settings.server, settings.sender, parts)
    case 'folder':
      return folderMailer(settings.folder)
    case 'off':
      return null
  }
}

function smtpMailer(server: SmtpServer, sender: MailSender, { siteName, issuer }: MailerParts): Mailer {
  const from = { name: sender.name ?? siteName, address: sender.address }
  const host = new URL(issuer).hostname
  const { login } = server
  const tokens =
    login === null || typeof login.secret === 'string'
      ? null
      : createTokenSource(login.secret, isLoopbackHost(host))
  return async ({ id, to, subject, text, html }, signal) => {
    let withoutSecret = hiding()
    try {
      // Loaded at the first mail: it is not needed for a start
      const { createTransport } = await import('nodemailer')
      const account = await accountOf(server, tokens)
      withoutSecret = hiding(account.auth)
      const transport = createTransport({ ...connectionOptions(server), ...account })
      const { response } = await transport.sendMail({
        // The time limits of the connection begin again with each byte
        signal,
        ...{ from, to: { name: '', address: to }, subject, text, html },
        messageId: `<${id}@${host}>`,
        // RFC 3834 5: no automatic answers
        headers: { 'auto-submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      return { kind: 'delivered', status: statusIn(response), answer: withoutSecret(response) }
    } catch (error) {
      if (signal.aborted)
        return { kind: 'not_now', status: null, answer: 'The mail server did not finish in time.' }
      const failure = failureOf(error)
      if (failure.status === 535) tokens?.forget()
      return { ...failure, answer: withoutSecret(failure.answer) }
    }
  }
}

type Account = { readonly auth?: SmtpAuth }
type SmtpAuth =
  | { readonly user: string; readonly pass: string }
  | { readonly type: 'OAuth2'; readonly user: string; readonly accessToken: string }

async function accountOf({ login }: SmtpServer, tokens: TokenSource | null): Promise<Account> {
  if (login === null) return {}
  const { user, secret } = login
  if (typeof secret === 'string') return { auth: { user, pass: secret } }
  const accessToken = (await tokens?.get()) ?? ''
  return { auth: { type: 'OAuth2', user, accessToken } }
}

/**
 * Makes the function that hides the password or access token of the account in an answer. Some servers repeat it, and others the whole
 * command, in which it is in Base64 (RFC 4616, XOAUTH2).
 */
function hiding(auth?: SmtpAuth): (answer: string) => string {
  const secrets = auth === undefined ? [] : secretsOf(auth)
  return answer => secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), answer)
}

/** Returns the secret in each form in which it is sent, the longest first: others are parts of it. */
function secretsOf(auth: SmtpAuth): readonly string[] {
  const plain = 'pass' in auth ? auth.pass : auth.accessToken
  if (plain === '') return []
  const { user } = auth
  const sent =
    'pass' in auth ? [`\0${user}\0${plain}`, plain] : [`user=${user}\u0001auth=Bearer ${plain}\u0001\u0001`]
  return [...sent.map(text => Buffer.from(text).toString('base64').replace(/=+$/, '')), plain]
}

function connectionOptions({ host, port, tls }: SmtpServer) {
  return {
    ...{ host, port },
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    connectionTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.silenceMs,
    maxResponseSize: limits.answerBytes,
  }
}

/**
 * Reads the failure of an attempt. A permanent refusal of the receiver or the message ends the attempts (RFC 5321 4.2.1).
 * Other refusals do not, such as those of the sender, of this server's account or of TLS, because the operator can correct
 * the settings.
 */
function failureOf(error: unknown): Sent {
  const { code, command, responseCode, message, response } = asFailure(error)
  const status = knownStatus(responseCode)
  const isAboutMail =
    (code === 'EENVELOPE' && command === 'RCPT TO') || (code === 'EMESSAGE' && command === 'DATA')
  const isPermanent = status !== null && status >= 500 && isAboutMail && !ownMistakes.has(status)
  return { kind: isPermanent ? 'refused' : 'not_now', status, answer: response ?? message }
}

/** Refusals of this server's part of the conversation: a command out of order, and a missing account (RFC 4954 6). */
const ownMistakes = new Set([503, 530])

type Failure = {
  readonly message: string
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

function asFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: 'unknown error' }
  const { code, command, responseCode, response } = error as Partial<Failure>
  return {
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof command === 'string' ? { command } : {}),
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
    ...(typeof response === 'string' ? { response } : {}),
  }
}

function statusIn(response: string): number | null {
  const [status] = /^\d{3}/.exec(response) ?? []
  return knownStatus(Number(status))
}

/** Returns the status if it is one of SMTP (RFC 5321 4.2), else `null`. */
function knownStatus(status: number | undefined): number | null {
  return status !== undefined && status >= 200 && status <= 599 ? status : null
}

/** Writes each mail to a file, and deletes the oldest files. */
function folderMailer(folder: string): Mailer {
  return async ({ id, ...mail }) => {
    const stored: StoredMail = { id, ...mail, sentAt: new Date().toISOString() }
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${id}.json`), JSON.stringify(stored))
    const names = (await readdir(folder)).filter(name => name.endsWith('.json')).sort()
    for (const name of names.slice(0, -limits.keptFiles)) await rm(join(folder, name), { force: true })
    return { kind: 'delivered', status: null, answer: `Written to ${folder}` }
  }
}
