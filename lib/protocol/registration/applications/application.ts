/**
 * An application that clients are registered for, as data: the settings of the client, and the settings of the application.
 * The form for a new client, the setup page of a client and the guides in `docs/applications` are made of it.
 *
 * Texts may contain placeholders, such as `{{app}}`; `placeholders` lists them.
 */
import type { ClientKind, ClientMetadata } from '../client.ts'

/** The placeholders, each with the word that is shown while its value is not known. */
export const placeholders = {
  /** The issuer, without a trailing slash. */
  issuer: 'ISSUER',
  /** The host of the issuer, with its port if it has one. */
  issuer_host: 'ISSUER_HOST',
  client_id: 'CLIENT_ID',
  /** The secret, which is never filled in. */
  client_secret: 'CLIENT_SECRET',
  /** The address of the application, without a trailing slash. */
  app: 'APP',
  /** The host of the application, with its port if it has one. */
  app_host: 'APP_HOST',
  /** The origin of the application. */
  app_origin: 'APP_ORIGIN',
} as const

export type Placeholder = keyof typeof placeholders

/** The headings under which applications are listed. */
export const applicationGroups = [
  'Monitoring and data',
  'Files and collaboration',
  'Home and media',
  'Development',
  'Infrastructure',
  'Proxies and networks',
  'Frameworks',
] as const

export type ApplicationFile = {
  /** The name of the file, or of the place where the text is entered. */
  readonly path: string
  /** The language, for code blocks in Markdown. */
  readonly language:
    | 'ini'
    | 'yaml'
    | 'json'
    | 'sh'
    | 'python'
    | 'toml'
    | 'ts'
    | 'php'
    | 'ruby'
    | 'xml'
    | 'text'
  readonly content: string
}

export type Application = {
  /** The name in addresses and of its guide: lower case letters, digits and hyphens. */
  readonly id: string
  /** The name of the product. */
  readonly name: string
  readonly group: (typeof applicationGroups)[number]
  readonly kind: Exclude<ClientKind, 'legacy'>
  /** An example of its address; `null` if its redirect URIs do not depend on an address. */
  readonly addressExample: string | null
  /** The fields of the client that differ from the defaults of its kind. */
  readonly client: Omit<ClientMetadata, 'client_id' | 'client_name'> & {
    readonly redirect_uris: readonly string[]
    readonly scope: string
  }
  /** The claims that it reads, `sub` included if it identifies users by it. */
  readonly claims: readonly string[]
  /** Where to enter the settings: sentences, in their order. Plain text with code in backticks. */
  readonly steps: readonly string[]
  /** The settings as files, environment variables or commands. */
  readonly files: readonly ApplicationFile[]
  /** The effect of a sign-out in the application: one or two sentences. */
  readonly signOut: string
  /** The known limits: sentences. */
  readonly limits: readonly string[]
  /** The version of the settings. */
  readonly version: {
    /** The version of the application; `null` if its documents name no version. */
    readonly number: string | null
    /** `trial`: this version was connected to this server. `untried`: the settings follow public descriptions of it. */
    readonly from: 'trial' | 'untried'
  }
  /** The path of the test that runs it here; `null` if there is none. */
  readonly test: string | null
  /** The address of the application's documents about OpenID Connect. */
  readonly documents: string
}
