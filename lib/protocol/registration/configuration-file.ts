/** The file named by LATCHKEY_CONFIG: clients, scopes, users, identity providers and policies as code. */
import { z } from 'zod'
import { unknownName } from '../text/similar-names.ts'
import { unstorableTexts } from '../text/storable-text.ts'
import { canonicalUsername } from '../text/user-names.ts'
import { localProvider, scopeKinds } from '../vocabulary.ts'
import { scopeWords } from '../wire/scopes.ts'
import { clientMetadataFields } from './client-fields.ts'
import { alsoForInvalidFields, checkClientRules, checkClientSecrets, checkNewClient } from './client-rules.ts'
import { describeProblem, placeInFile, plainMessage, sentence } from './configuration-problems.ts'
import { isRecord, strictFields } from './fields.ts'
import { policiesSchema } from './policies.ts'
import {
  providerRegistrationSchema,
  type SecretEntry,
  secretEntries,
  secretListSchema,
  secretValueSchema,
  userRecordSchema,
} from './records.ts'
import { checkNewScope, knownScopes, scopeMetadataFields, standardScope, unknownScope } from './scope.ts'

export const clientFields = {
  ...clientMetadataFields,
  client_secret: secretValueSchema.optional().describe('8 to 256 characters, stored as a hash.'),
  client_secret_expires_at: z
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Seconds since 1970; 0: never (RFC 7591 3.2.1).'),
  client_secrets: secretListSchema.describe(
    'Further secrets that live at the same time, for a rotation without a gap.',
  ),
}

/**
 * The schema of a client. A document that an admin applies may omit secrets that are stored; the file that the server
 * reads at its start must contain them.
 */
const clientRegistrationSchema = (secrets: 'all_given' | 'may_be_stored') =>
  strictFields('client field', clientFields).superRefine((client, context) => {
    checkClientRules(client, context)
    checkNewClient(client, context)
    if (secrets === 'all_given') checkClientSecrets(client, context)
  }, alsoForInvalidFields)

const scopeRegistrationSchema = strictFields('scope field', {
  ...scopeMetadataFields,
  additional_claims: scopeMetadataFields.claims.describe(
    'Claims in addition to those of claims, to extend a built-in scope without repeating its claims.',
  ),
  secrets: secretListSchema.describe(
    'With one of them the API behind a resource scope may introspect tokens.',
  ),
}).superRefine((scope, context) =>
  checkNewScope({ ...scope, claims: [...scope.claims, ...scope.additional_claims] }, context),
)

const acceptedFindingSchema = strictFields('field of an accepted finding', {
  rule: z.string().min(1).max(100).describe('The rule, such as password_grant.'),
  id: z.string().min(1).max(500).describe('The client ID, the scheme of the provider, or site for policies.'),
  reason: z.string().min(1).max(1000).describe('Why the finding is accepted.'),
}).describe('A finding of npm run config:review that is accepted, with its reason. Not stored.')

const fileSchema = (secrets: 'all_given' | 'may_be_stored') =>
  strictFields('section', {
    $schema: z.string().optional(),
    clients: z.array(clientRegistrationSchema(secrets)).default([]),
    scopes: z.array(scopeRegistrationSchema).default([]),
    users: z.array(userRecordSchema).default([]),
    identity_providers: z.array(providerRegistrationSchema(secrets)).default([]),
    policies: policiesSchema.optional(),
    accepted_findings: z.array(acceptedFindingSchema).max(1000).optional(),
  }).superRefine(checkReferences, { when: ({ value }) => isRecord(value) })

export const configurationFileSchema = fileSchema('all_given')
const partialFileSchema = fileSchema('may_be_stored')

export type ConfigurationFile = z.output<typeof configurationFileSchema>
export type ConfigurationFileInput = z.input<typeof configurationFileSchema>
export type ClientRegistration = ConfigurationFile['clients'][number]

/** Separates the settings of a client from its secrets, which are stored as hashes and never shown. */
export function separateSecrets(registration: ClientRegistration) {
  const {
    client_secret: first,
    client_secret_expires_at: end,
    client_secrets: further,
    ...metadata
  } = registration
  const expiresAt = end === 0 ? null : new Date(end * 1000)
  const secrets: readonly SecretEntry[] = [
    ...(first === undefined ? [] : [{ value: first, expiresAt }]),
    ...secretEntries(further),
  ]
  return { metadata, secrets }
}
export type AcceptedFinding = z.output<typeof acceptedFindingSchema>
export type ScopeRegistration = ConfigurationFile['scopes'][number]

type ReadConfiguration =
  | { readonly kind: 'valid'; readonly configuration: ConfigurationFile }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** Reads the configuration, or returns everything that is wrong with it, each problem with its path in the file. */
export function readConfiguration(document: unknown): ReadConfiguration {
  return readWith(configurationFileSchema, document)
}

/** Reads a document that changes stored items and may omit their secrets. */
export function readPartialConfiguration(document: unknown): ReadConfiguration {
  return readWith(partialFileSchema, document)
}

function readWith(schema: typeof configurationFileSchema, document: unknown): ReadConfiguration {
  const unstorable = unstorableTexts(document)
  if (unstorable.length > 0) {
    const problems = unstorable.map(({ path, problem }) =>
      sentence(`${placeInFile(path) || 'the file'}: ${problem}`),
    )
    return { kind: 'invalid', problems }
  }
  const read = schema.safeParse(withStandardScopes(document), { error: plainMessage })
  if (read.success) return { kind: 'valid', configuration: read.data }
  return { kind: 'invalid', problems: read.error.issues.flatMap(describeProblem) }
}

/** Completes the entry of a built-in scope with its kind, claims and flags. */
function withStandardScopes(document: unknown): unknown {
  if (!isRecord(document) || !Array.isArray(document.scopes)) return document
  const scopes = document.scopes.map((entry: unknown) =>
    isRecord(entry) && typeof entry.name === 'string' ? { ...standardScope(entry.name), ...entry } : entry,
  )
  return { ...document, scopes }
}

// Rules between the parts of a configuration: repeated names, and names of items that do not exist
type Path = ReadonlyArray<string | number>
type Named = {
  /** The canonical name, which is equal for all spellings of a name. */
  readonly name: string
  readonly written: string
  readonly path: Path
}
type Report = (path: Path, message: string) => void
type Entry = { readonly fields: Readonly<Record<string, unknown>>; readonly path: Path }
type Sections = Readonly<Record<'clients' | 'scopes' | 'users' | 'identity_providers', readonly Entry[]>>

/**
 * Adds the issues of rules between entries: repeated names, names of items that do not exist, and scopes that conflict
 * with a standard scope or a client. Invalid fields are skipped, so that one mistake does not hide others.
 */
function checkReferences(parts: unknown, context: z.core.$RefinementCtx): void {
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message })
  const sections = sectionsOf(parts)
  for (const names of uniqueNames(sections)) reportRepeated(names, report)
  checkStandardScopes(sections, report)
  checkScopeSecrets(sections, report)
  checkClientScopes(sections, report)
  checkRestrictions(sections, report)
}

function sectionsOf(parts: unknown): Sections {
  return {
    clients: entriesOf(parts, 'clients'),
    scopes: entriesOf(parts, 'scopes'),
    users: entriesOf(parts, 'users'),
    identity_providers: entriesOf(parts, 'identity_providers'),
  }
}

function entriesOf(parts: unknown, section: string): readonly Entry[] {
  const list: unknown = isRecord(parts) ? parts[section] : null
  if (!Array.isArray(list)) return []
  return list.flatMap((fields: unknown, index) =>
    isRecord(fields) ? [{ fields, path: [section, index] }] : [],
  )
}

function textsOf({ fields, path }: Entry, field: string): ReadonlyArray<{ text: string; path: Path }> {
  const value = fields[field]
  if (typeof value === 'string') return [{ text: value, path: [...path, field] }]
  if (!Array.isArray(value)) return []
  return value.flatMap((text: unknown, at) =>
    typeof text === 'string' ? [{ text, path: [...path, field, at] }] : [],
  )
}

function uniqueNames(sections: Sections): ReadonlyArray<readonly Named[]> {
  const { clients, scopes, users, identity_providers: providers } = sections
  return [
    // Checked together, because a token's `sub` can be either (RFC 9700 4.15)
    [...named(clients, 'client_id'), ...named(users, 'sub')],
    named(scopes, 'name'),
    named(users, 'username', canonicalUsername),
    named(providers, 'scheme'),
    named(providers, 'domains', domain => domain.toLowerCase()),
  ]
}

function named(
  entries: readonly Entry[],
  field: string,
  canonical: (text: string) => string = text => text,
): readonly Named[] {
  return entries
    .flatMap(entry => textsOf(entry, field))
    .map(({ text, path }) => ({ name: canonical(text), written: text, path }))
}

function reportRepeated(names: readonly Named[], report: Report): void {
  const seen = new Map<string, Named>()
  for (const one of names) {
    const first = seen.get(one.name)
    if (first === undefined) seen.set(one.name, one)
    else report(one.path, repeated(one, first))
  }
}

function repeated(one: Named, first: Named): string {
  const place = placeInFile(first.path)
  if (one.written === first.written) return `"${one.written}" is used twice; the other is ${place}`
  return `"${one.written}" is the same name as "${first.written}" in ${place}`
}

function checkStandardScopes({ scopes }: Sections, report: Report): void {
  for (const { fields, path } of scopes) {
    const standard = typeof fields.name === 'string' ? standardScope(fields.name) : null
    if (standard === null || !isScopeKind(fields.kind) || standard.kind === fields.kind) continue
    report([...path, 'kind'], `must be "${standard.kind}": "${standard.name}" is a standard scope`)
  }
}

/**
 * Refuses the secrets of a scope with the name of a client: both would send the same name at introspection, which could
 * not identify the caller.
 */
function checkScopeSecrets({ clients, scopes }: Sections, report: Report): void {
  const clientIds = new Set(clients.map(({ fields }) => fields.client_id))
  for (const { fields, path } of scopes) {
    const hasSecrets = Array.isArray(fields.secrets) && fields.secrets.length > 0
    if (!hasSecrets || !clientIds.has(fields.name)) continue
    const message = `must be empty: the client "${fields.name}" introspects under that name`
    report([...path, 'secrets'], message)
  }
}

function isScopeKind(kind: unknown): boolean {
  return scopeKinds.some(known => known === kind)
}

function checkClientScopes({ clients, scopes }: Sections, report: Report): void {
  const known = knownScopes(scopes.flatMap(scope => textsOf(scope, 'name')).map(({ text }) => text))
  for (const { text, path } of clients.flatMap(client => textsOf(client, 'scope'))) {
    for (const word of scopeWords(text).filter(name => !known.has(name)))
      report(path, unknownScope(word, known))
  }
}

function checkRestrictions({ clients, identity_providers: providers }: Sections, report: Report): void {
  const schemes = providers.flatMap(provider => textsOf(provider, 'scheme')).map(({ text }) => text)
  const known = new Set([...schemes, localProvider])
  for (const { text, path } of clients.flatMap(client => textsOf(client, 'identity_provider_restrictions'))) {
    if (!known.has(text)) report(path, unknownName(text, 'identity provider', known))
  }
}
