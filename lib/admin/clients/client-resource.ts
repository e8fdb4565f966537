/**
 * The client as a resource of the dashboard: how it is found, checked, stored and shown, and its form. Admins see its
 * registration document without secrets.
 */
import { z } from 'zod'
import { claimLimits } from '#lib/config/limits.ts'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { ClientRecord } from '#lib/ports/configuration-store.ts'
import { claimsProblem, type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { type ClientId, clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import {
  clientFromMetadata,
  clientKindSchema,
  clientMetadataSchema,
} from '#lib/protocol/registration/client.ts'
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { knownScopes, unknownScope } from '#lib/protocol/registration/scope.ts'
import { unknownName } from '#lib/protocol/text/similar-names.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { redirectUriProblem } from '#lib/protocol/wire/redirect-uri.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { mayTouchAccount, mayTouchScope } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import {
  type AdminResult,
  denied,
  errorFor,
  type FieldError,
  fieldErrors,
  mergeErrors,
  ok,
  prefixErrors,
} from '../admin-result.ts'
import { canonicalJson } from '../configuration/compare-documents.ts'
import { imitatedName, reservedClientId, unknownGrant } from '../configuration/document-problems.ts'
import { type Resource, readUseCase } from '../resource/resource.ts'
import { auditedDocument, secretDates, secretDatesSchema } from '../resource/secrets.ts'
import { rfc, type SettingInput, settingForm } from '../setting-form.ts'
import type { Actor, AdminCall } from '../use-case.ts'
import { viewOf } from '../view.ts'

export const clientViewSchema = z.object({
  client_id: z.string(),
  kind: clientKindSchema,
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  last_used_at: z.string().nullable(),
  metadata: z.record(z.string(), jsonValueSchema),
  secrets: z.array(secretDatesSchema),
})

export type ClientView = z.infer<typeof clientViewSchema>
export type StoredClient = NonNullable<Awaited<ReturnType<AdminLists['client']>>>

/** The stored client in the format of the API. */
function clientView(stored: StoredClient): ClientView {
  return viewOf(clientViewSchema, stored, {
    metadata: storedDocument(stored),
    secrets: stored.secretDates.map(secretDates),
  })
}

/** The registration document as stored. */
export function storedDocument({ metadata }: Pick<ClientRecord, 'metadata'>): ClientView['metadata'] {
  return z.record(z.string(), jsonValueSchema).parse(metadata)
}

type ClientTypes = {
  readonly field: 'client_id'
  readonly id: ClientId
  readonly row: ClientRecord
  readonly extra: Pick<StoredClient, 'kind' | 'lastUsedAt' | 'secretDates'>
  readonly view: ClientView
}

export const clients: Resource<ClientTypes> = {
  kind: 'client',
  area: 'clients',
  idField: 'client_id',
  idSchema: clientIdSchema,
  readId: given => clientIdSchema.parse(given),
  idOf: ({ clientId }) => clientId,
  find: ({ adminLists }, clientId) => adminLists.client(clientId),
  view: (_ports, stored) => clientView(stored),
  viewSchema: clientViewSchema,
  audited: row => auditedDocument(storedDocument(row), row.secrets),
  current: stored => ({ version: stored.version, metadata: storedDocument(stored) }),
  refusal: ownersOnly,
  check: async (ports, { row, before }, call) => {
    const document = { ...storedDocument(row), client_id: row.clientId }
    const stored = before === null ? {} : storedDocument(before)
    const checked = await checkClient(ports, { document, before: stored }, call)
    if (checked.kind === 'invalid')
      return { kind: 'invalid', errors: prefixErrors('metadata', checked.errors) }
    return checked.kind === 'ok' ? ok({ ...row, metadata: checked.value }) : checked
  },
  put: (record, expectedVersion) => ({ kind: 'put', of: 'client', record, expectedVersion }),
  remove: (id, expectedVersion) => ({ kind: 'remove', of: 'client', id, expectedVersion }),
  withEnabled: (row, enabled) => ({ ...row, metadata: { ...storedDocument(row), enabled } }),
}

export const readClient = readUseCase(clients, {
  summary: 'Reads one client: its registration document, and the dates of its secrets.',
  output: clientViewSchema,
  answer: (_ports, stored) => clientView(stored),
})

/** Refuses admins who may not change or delete the stored client, because it administers the service; otherwise `null`. */
export async function ownersOnly(
  ports: Pick<AdminPorts, 'administrators'>,
  { clientId, metadata }: Pick<ClientRecord, 'clientId' | 'metadata'>,
  { actor }: { readonly actor: Pick<Actor, 'role'> },
): Promise<AdminResult<never> | null> {
  const subject = subjectIdSchema.safeParse(clientId)
  const administrator = subject.success ? await ports.administrators.find(subject.data) : null
  const isOpen =
    mayTouchAccount(actor.role, administrator?.role ?? null) &&
    clientFromMetadata(metadata).scopes.every(scope => mayTouchScope(actor.role, scope))
  return isOpen ? null : denied('This client administers the service. Only owners may change it.')
}

type Document = Readonly<Record<string, JsonValue>>
type CheckPorts = Pick<AdminPorts, 'siteName' | 'adminLists' | 'customGrants'>

type ProposedClient = {
  readonly document: Document
  /** The stored document; empty for a new client. */
  readonly before: Document
  /** Errors that the caller found already. */
  readonly found?: readonly FieldError[]
}

/** Returns the document to store, or the errors in it. Only owners may give a client access to the administration (AD-03). */
export async function checkClient(
  ports: CheckPorts,
  proposed: ProposedClient,
  { actor }: Pick<AdminCall, 'actor'>,
): Promise<AdminResult<JsonValue>> {
  const errors = await clientErrors(ports, proposed)
  if (errors.length > 0) return { kind: 'invalid', errors }
  const { scope = '' } = proposed.document
  if (!scopeWords(String(scope)).every(name => mayTouchScope(actor.role, name)))
    return denied('Only owners may let a client administer this service.')
  return ok(JSON.parse(JSON.stringify(proposed.document)))
}

/** The errors in the document: of the schema, of rules beyond it, and of references to unregistered scopes and providers. */
export async function clientErrors(
  ports: CheckPorts,
  { document, before, found = [] }: ProposedClient,
): Promise<readonly FieldError[]> {
  const read = clientMetadataSchema.safeParse(document, { error: plainMessage })
  const schema = read.success ? [] : fieldErrors(read.error)
  const others = [
    ...nameErrors(ports, document),
    ...claimErrors(document, before),
    ...grantErrors(ports, document, before),
    ...(await referenceErrors(ports, document, before)),
  ]
  return mergeErrors(found, mergeErrors(mergeErrors(schema, redirectErrors(document, before)), others))
}

type Added = { readonly text: string; readonly path: string }

/**
 * Returns the texts of a list that the stored document does not contain. Only these are checked: stored entries may stay, and the
 * schema refuses entries that are not texts.
 */
function added(field: string, document: Document, before: Document): readonly Added[] {
  const kept = new Set(listIn(before[field]))
  return listIn(document[field]).flatMap((text, index) =>
    typeof text !== 'string' || kept.has(text) ? [] : [{ text, path: `${field}.${index}` }],
  )
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** Checks new redirect URIs. An invalid application type, which the schema reports, gets the more permissive rules here. */
function redirectErrors(document: Document, before: Document): readonly FieldError[] {
  const applicationType = (document.application_type ?? 'web') === 'web' ? 'web' : 'native'
  return ['redirect_uris', 'post_logout_redirect_uris'].flatMap(field =>
    added(field, document, before).flatMap(({ text, path }) =>
      errorFor(path, redirectUriProblem(text, applicationType, 'form')),
    ),
  )
}

/** Checks new grant types. A stored one may stay: its extension may be installed again. */
function grantErrors(
  { customGrants }: Pick<AdminPorts, 'customGrants'>,
  document: Document,
  before: Document,
): readonly FieldError[] {
  return added('grant_types', document, before).flatMap(({ text, path }) =>
    errorFor(path, unknownGrant(text, customGrants)),
  )
}

function claimErrors({ claims }: Document, before: Document): readonly FieldError[] {
  if (!isRecord(claims) || canonicalJson(claims) === canonicalJson(before.claims)) return []
  return errorFor('claims', claimsProblem(claims, claimLimits.clientBytes))
}

/** CN-09: refuses names that imitate this site, and reserved client IDs. */
function nameErrors(
  { siteName }: Pick<AdminPorts, 'siteName'>,
  { client_id: id, client_name: name }: Document,
): readonly FieldError[] {
  const imitated = typeof name === 'string' ? imitatedName(name, siteName) : null
  return [
    ...errorFor('client_id', typeof id === 'string' ? reservedClientId(id) : null),
    ...errorFor(
      'client_name',
      imitated === null ? null : `This looks like "${imitated}", the sign-in itself. Name the app.`,
    ),
  ]
}

/**
 * One error for each unknown scope and provider that the document adds. Stored references may stay: a configuration file can
 * remove a scope whose name remains in clients of the dashboard.
 */
export async function referenceErrors(
  { adminLists }: Pick<AdminPorts, 'adminLists'>,
  document: Document,
  before: Document,
): Promise<readonly FieldError[]> {
  const oldScopes = scopesIn(before)
  const scopes = scopesIn(document).filter(name => !oldScopes.includes(name))
  const schemes = added('identity_provider_restrictions', document, before)
  const knownNames = knownScopes(
    scopes.length === 0 ? [] : (await adminLists.scopes()).map(({ name }) => name),
  )
  const knownSchemes = new Set<string>(
    schemes.length === 0 ? [] : (await adminLists.providers()).map(({ scheme }) => scheme),
  ).add(localProvider)
  return [
    ...scopes
      .filter(name => !knownNames.has(name))
      .flatMap(name => errorFor('scope', unknownScope(name, knownNames))),
    ...schemes
      .filter(({ text }) => !knownSchemes.has(text))
      .flatMap(({ text, path }) => errorFor(path, unknownName(text, 'identity provider', knownSchemes))),
  ]
}

function scopesIn({ scope }: Document): readonly string[] {
  return typeof scope === 'string' ? scopeWords(scope) : []
}

const ownInputs: Readonly<Record<string, SettingInput>> = {
  redirect_uris: { kind: 'redirect_uris' },
  scope: { kind: 'boxes', of: 'scopes' },
  grant_types: { kind: 'boxes', of: 'grant_types' },
  identity_provider_restrictions: { kind: 'boxes', of: 'providers' },
}

const standards: Readonly<Record<string, ReturnType<typeof rfc>>> = {
  Redirects: rfc(9700, '2.1'),
  'Sign-in and consent': {
    name: 'OpenID Connect Core §3.1.2.4',
    href: 'https://openid.net/specs/openid-connect-core-1_0.html#Consent',
  },
  Tokens: rfc(9068, '2'),
  'Refresh tokens': rfc(9700, '4.14.2'),
}

export const clientForm = settingForm(
  clientMetadataFields,
  ownInputs,
  title => standards[title] ?? rfc(7591, '2'),
)
