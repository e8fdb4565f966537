/** What must hold of a client's document before it is stored, whoever wants it stored and by which way. */
import { claimLimits } from '#lib/config/limits.ts'
import { claimsProblem, type JsonValue } from '#lib/protocol/claims.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { responseParameterIn, severalAddresses } from '#lib/protocol/wire/redirect-uri.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { mayTouchScope } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, denied, type FieldError } from '../admin-result.ts'
import { canonicalJson } from '../configuration/compare-documents.ts'
import { errorFor, fieldErrors, mergeErrors } from '../field-errors.ts'
import { imitatedName } from '../imitated-names.ts'
import { reservedClientId } from '../reserved-names.ts'
import { unknownGrant } from '../unknown-grants.ts'
import type { AdminCall } from '../use-case.ts'
import { unknownNames } from './unknown-names.ts'

type Document = Readonly<Record<string, JsonValue>>

export type Wish = {
  readonly wanted: Document
  /** What is stored; nothing of a new one. */
  readonly before: Document
  /** What the caller found wrong already. */
  readonly found?: readonly FieldError[]
}

/** What to store, or everything that is wrong with it. Only owners open the administration to a client (AD-03). */
export async function checkedDocument(
  ports: Pick<AdminPorts, 'siteName' | 'adminLists' | 'customGrants'>,
  wish: Wish,
  { actor }: Pick<AdminCall, 'actor'>,
): Promise<AdminResult<JsonValue>> {
  const errors = await documentErrors(ports, wish)
  if (errors.length > 0) return { kind: 'invalid', errors }
  const { scope = '' } = wish.wanted
  if (!scopeWords(String(scope)).every(name => mayTouchScope(actor.role, name)))
    return denied('Only owners may let a client administer this service.')
  return { kind: 'ok', value: JSON.parse(JSON.stringify(wish.wanted)) }
}

/** Every error at once: of the schema, of its rules, and of what is registered besides. */
export async function documentErrors(
  ports: Pick<AdminPorts, 'siteName' | 'adminLists' | 'customGrants'>,
  { wanted, before, found = [] }: Wish,
): Promise<readonly FieldError[]> {
  const read = clientMetadataSchema.safeParse(wanted, { error: plainMessage })
  const schema = read.success ? [] : fieldErrors(read.error)
  const others = [
    ...nameErrors(ports, wanted),
    ...claimErrors(wanted, before),
    ...grantErrors(ports, wanted, before),
    ...(await unknownNames(ports, wanted, before)),
  ]
  return mergeErrors(found, mergeErrors([...schema, ...addressErrors(wanted, before)], others))
}

function addressErrors(wanted: Document, before: Document): readonly FieldError[] {
  return (['redirect_uris', 'post_logout_redirect_uris'] as const).flatMap(field => {
    const kept = textsIn(before[field])
    return textsIn(wanted[field]).flatMap((uri, index) =>
      errorFor(
        `${field}.${index}`,
        kept.includes(uri) ? null : (severalAddresses(uri) ?? responseParameterIn(uri)),
      ),
    )
  })
}

function textsIn(list: JsonValue | undefined): readonly string[] {
  return Array.isArray(list) ? list.map(String) : []
}

/** What stood there may stay: its extension may come back. */
function grantErrors(
  { customGrants }: Pick<AdminPorts, 'customGrants'>,
  wanted: Document,
  before: Document,
): readonly FieldError[] {
  const kept = textsIn(before.grant_types)
  return textsIn(wanted.grant_types).flatMap((grant, index) =>
    errorFor(`grant_types.${index}`, kept.includes(grant) ? null : unknownGrant(grant, customGrants)),
  )
}

function claimErrors(wanted: Document, before: Document): readonly FieldError[] {
  const { claims } = wanted
  if (!isRecord(claims) || canonicalJson(claims) === canonicalJson(before.claims)) return []
  return errorFor('claims', claimsProblem(claims, claimLimits.clientBytes))
}

/** A client must not be named like this site (CN-09). */
function nameErrors(
  { siteName }: Pick<AdminPorts, 'siteName'>,
  { client_id: id, client_name: name }: Document,
): readonly FieldError[] {
  const own = typeof name === 'string' ? imitatedName(name, siteName) : null
  return [
    ...errorFor('client_id', typeof id === 'string' ? reservedClientId(id) : null),
    ...errorFor(
      'client_name',
      own === null ? null : `This looks like "${own}", the sign-in itself. Name the app.`,
    ),
  ]
}
