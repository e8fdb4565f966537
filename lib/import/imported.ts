/** What was read from an export, in our own form: the same for every product. */
import { type Document, type FieldRule, mapFields, type Note, unreadNames } from './mapping/field-map.ts'
import { type ImportedSecret, readSecrets } from './mapping/secrets.ts'
import type { SourceObject } from './source/tables.ts'

/** A client or scope as its registration document. */
export type ImportedRegistration = {
  readonly place: string
  readonly document: Document
  readonly secrets: readonly ImportedSecret[]
  readonly notes: readonly Note[]
}

/** All that an export contains. Read once. */
export type Imported = {
  readonly clients: Iterable<ImportedRegistration>
  readonly scopes: Iterable<ImportedRegistration>
}

/** By the table of its rules. */
export function readRegistration(
  { place, fields }: SourceObject,
  { rules, secrets: member }: { readonly rules: readonly FieldRule[]; readonly secrets: string },
): ImportedRegistration {
  const { document, notes } = mapFields(rules, fields)
  const { secrets, notes: more } = readSecrets(fields, member)
  const unread = unreadNames(rules, fields).map(unknownField)
  return {
    place,
    document,
    secrets,
    notes: [...notes, ...more, ...unread, ...missingSecret(document, secrets)],
  }
}

function unknownField(field: string): Note {
  return { kind: 'changed', field, text: 'is not known, and not read' }
}

/** Its own secrets were refused, or it never used the token endpoint there. */
function missingSecret(
  { grant_types: grants, token_endpoint_auth_method: method }: Document,
  secrets: readonly ImportedSecret[],
): readonly Note[] {
  if (!Array.isArray(grants) || method === 'none' || secrets.length > 0) return []
  if (grants.every(grant => grant === 'implicit')) return []
  return [
    {
      kind: 'refused',
      field: '',
      text: 'has no secret that can be taken over, and cannot authenticate without one',
    },
  ]
}
