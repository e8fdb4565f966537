/**
 * The environment variables that are settings of Latchkey, each with its rule. Each message is the end of a sentence
 * that begins with "NAME is …, but".
 */
import { isIP } from 'node:net'
import { z } from 'zod'
import { displayTextSchema } from '#lib/protocol/registration/fields.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import {
  accessTokenFormats,
  endpointNames,
  isEndpointName,
  signOutPrompts,
} from '#lib/protocol/vocabulary.ts'
import { isAddressOrRange } from './address-ranges.ts'
import { longestRefreshRetryWindowSeconds, metrics, refreshRetryWindowSeconds, workers } from './limits.ts'
import { bindAddress, bindAddresses, portOrSocket } from './listen-address.ts'
import { masterKeyProblem } from './master-key-text.ts'
import { telemetryNames } from './telemetry-settings.ts'

const yes = ['true', '1', 'yes', 'on']
const no = ['false', '0', 'no', 'off']
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const longestSiteName = 100

const strayComma = 'it has a comma without anything before or after it; remove that comma'

const path = z.string().refine(text => !text.includes('\0'), 'it must be a path')

export const environmentSchema = z.object({
  ...telemetryFields(),
  PORT: portOrSocket().default(3000),
  HOST: bindAddresses(),
  ISSUER: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  DATA_DIR: path.default('./data'),
  LATCHKEY_WORKERS: z
    .string()
    .refine(
      text => text === 'auto' || isWholeNumber(text, 1, workers.most),
      `it must be auto or a whole number from 1 to ${workers.most}`,
    )
    .transform(text => (text === 'auto' ? ('auto' as const) : Number(text)))
    .default('auto' as const),
  LATCHKEY_DATABASE_CONNECTIONS: wholeNumber(workers.fewestConnections, 1000).optional(),
  TRUST_PROXY: z
    .string()
    .default('false')
    .superRefine((text, context) => {
      const problem = addressProblem(proxyList(text), 'true, false, or addresses and ranges')
      if (problem !== null) context.addIssue(problem)
    })
    .transform(text => ({ isTrusted: !no.includes(text.toLowerCase()), addresses: proxyList(text) })),
  MASTER_KEY: masterKey().optional(),
  MASTER_KEY_NEXT: masterKey().optional(),
  MASTER_KEY_COMMAND: z
    .string()
    .refine(
      text => listOfWords(text).length > 0 && !text.includes('\0'),
      'it must be a program with its arguments',
    )
    .transform(listOfWords)
    .optional(),
  LOG_LEVEL: z.enum(logLevels, `it must be one of ${logLevels.join(', ')}`).default('info'),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  METRICS_HOST: bindAddress(),
  METRICS_TOKEN: z
    .string()
    .min(
      metrics.fewestTokenCharacters,
      `it must have at least ${metrics.fewestTokenCharacters} characters; make one with "openssl rand -hex 32"`,
    )
    .regex(/^[A-Za-z0-9._~+/-]+=*$/, 'it must be a bearer token: letters, digits and - . _ ~ + /')
    .optional(),
  METRICS_CLIENTS: z
    .string()
    .transform(listOf)
    .refine(
      clients =>
        clients.length <= metrics.mostClients && clients.every(id => /^[\x21-\x7e]{1,200}$/.test(id)),
      `it must be client IDs separated by commas, at most ${metrics.mostClients}`,
    )
    .optional(),
  LATCHKEY_CONFIG: path.optional(),
  LATCHKEY_EXTENSIONS: path.optional(),
  LATCHKEY_BREACHED_PASSWORDS: path.optional(),
  LATCHKEY_ADMIN_ADDRESSES: z
    .string()
    .superRefine((text, context) => {
      const problem = addressProblem(listOf(text), 'addresses and ranges')
      if (problem !== null) context.addIssue(problem)
    })
    .transform(listOf)
    .optional(),
  LATCHKEY_SITE_NAME: z
    .string()
    .max(longestSiteName, `it must not be longer than ${longestSiteName} characters`)
    .refine(
      text => displayTextSchema(longestSiteName).safeParse(text).success,
      'it must not contain control or direction characters',
    )
    .refine(text => displayText(text, longestSiteName) !== '', 'it must contain a visible character')
    .default('Latchkey'),
  LATCHKEY_HELP_URL: z
    .string()
    .max(500, 'it must not be longer than 500 characters')
    .refine(isHelpAddress, 'it must begin with https:, http: or mailto:')
    .optional(),
  LATCHKEY_DEMO: flag().optional(),
  LATCHKEY_INSECURE_HTTP: flag().default(false),
  LATCHKEY_TOKEN_IN_QUERY: flag().default(true),
  LATCHKEY_ACCESS_TOKEN_FORMAT: z
    .enum(accessTokenFormats, `it must be one of ${accessTokenFormats.join(', ')}`)
    .default('rfc9068'),
  LATCHKEY_ENABLED_ENDPOINTS: z
    .string()
    .superRefine((text, context) => {
      const unknown = listOf(text).find(name => !isEndpointName(name))
      if (unknown !== undefined)
        context.addIssue(
          unknown === '' ? strayComma : `"${unknown}" is not an endpoint; use ${endpointNames.join(', ')}`,
        )
    })
    .transform(text => new Set(listOf(text).filter(isEndpointName)))
    .default(new Set(endpointNames)),
  LATCHKEY_LOCAL_LOGIN: flag().default(true),
  LATCHKEY_SIGN_OUT_PROMPT: z
    .enum(signOutPrompts, `it must be one of ${signOutPrompts.join(', ')}`)
    .default('without-hint'),
  LATCHKEY_KEY_CERTIFICATES: flag().default(false),
  LATCHKEY_SIGNING_CERTIFICATE: path.optional(),
  LATCHKEY_SIGNING_CERTIFICATE_PASSWORD: z.string().optional(),
  SMTP_URL: z.string().max(2000, 'it must not be longer than 2000 characters').optional(),
  MAIL_FROM: z.string().max(400, 'it must not be longer than 400 characters').optional(),
  SMTP_OAUTH_TOKEN_URL: z.string().optional(),
  SMTP_OAUTH_CLIENT_ID: z.string().optional(),
  SMTP_OAUTH_CLIENT_SECRET: z.string().optional(),
  SMTP_OAUTH_SCOPE: z.string().optional(),
  SMTP_OAUTH_REFRESH_TOKEN: z.string().optional(),
  WEBAUTHN_RP_ID: z
    .string()
    .transform(text => text.toLowerCase())
    .refine(
      text => URL.parse(`https://${text}`)?.hostname === text && isIP(text) === 0,
      'it must be a domain without scheme and port, such as example.com',
    )
    .optional(),
  WEBAUTHN_DISCARDED_RP_ID: z.string().optional(),
  WEBAUTHN_RELATED_ORIGINS: z
    .string()
    .superRefine((text, context) => {
      const wrong = listOf(text).find(origin => !isSecureOrigin(origin))
      if (wrong !== undefined)
        context.addIssue(
          wrong === ''
            ? strayComma
            : `"${wrong}" is not an https origin; use origins separated by commas, such as https://login.example.com`,
        )
    })
    .transform(listOf)
    .optional(),
  LATCHKEY_REFRESH_GRACE_SECONDS: wholeNumber(0, longestRefreshRetryWindowSeconds).default(
    refreshRetryWindowSeconds,
  ),
})

export type Fields = z.output<typeof environmentSchema>

export const environmentNames: readonly string[] = Object.keys(environmentSchema.shape)

/** Variables whose values never appear in a message. */
export const secretNames: ReadonlySet<string> = new Set([
  'MASTER_KEY',
  'MASTER_KEY_NEXT',
  'METRICS_TOKEN',
  'DATABASE_URL',
  'SMTP_URL',
  'SMTP_OAUTH_CLIENT_SECRET',
  'SMTP_OAUTH_REFRESH_TOKEN',
  'LATCHKEY_SIGNING_CERTIFICATE_PASSWORD',
])

/** The variables of OpenTelemetry. They are checked only if data is sent, because other programs also read them. */
function telemetryFields() {
  const entries = telemetryNames.map(name => [name, z.string().optional()] as const)
  // TypeScript cannot type entries by their keys
  return Object.fromEntries(entries) as Record<(typeof telemetryNames)[number], z.ZodOptional<z.ZodString>>
}

function listOfWords(text: string): readonly string[] {
  return text.split(/\s+/).filter(word => word !== '')
}

function masterKey() {
  return z.string().superRefine((text, context) => {
    const problem = masterKeyProblem(text)
    if (problem !== null) context.addIssue(`${problem}; make one with "openssl rand -base64 32"`)
  })
}

function wholeNumber(lowest: number, highest: number) {
  return z
    .string()
    .refine(
      text => isWholeNumber(text, lowest, highest),
      `it must be a whole number from ${lowest} to ${highest}`,
    )
    .transform(Number)
}

function isWholeNumber(text: string, lowest: number, highest: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= lowest && Number(text) <= highest
}

function flag() {
  return z
    .string()
    .refine(
      text => yes.includes(text.toLowerCase()) || no.includes(text.toLowerCase()),
      'it must be true or false',
    )
    .transform(text => yes.includes(text.toLowerCase()))
}

function proxyList(text: string): readonly string[] {
  if (yes.includes(text.toLowerCase()) || no.includes(text.toLowerCase())) return []
  return listOf(text)
}

function listOf(text: string): readonly string[] {
  return text.split(',').map(address => address.trim())
}

function addressProblem(addresses: readonly string[], wanted: string): string | null {
  const wrong = addresses.find(address => !isAddressOrRange(address))
  if (wrong === undefined) return null
  if (wrong === '') return strayComma
  return `"${wrong}" is not an address; use ${wanted} separated by commas, such as 10.0.0.0/8,::1`
}

/** Whether the text is an https origin without a path, slash or default port. */
function isSecureOrigin(text: string): boolean {
  return text.startsWith('https://') && URL.parse(text)?.origin === text
}

function isHelpAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:'
}
