/** A mistyped scope or provider is refused where it is typed, as a configuration file with it would be. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { knownScopes, unknownScope } from '#lib/protocol/registration/scope.ts'
import { unknownName } from '#lib/protocol/text/similar-names.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { FieldError } from '../admin-result.ts'
import { errorFor } from '../field-errors.ts'

type Document = Readonly<Record<string, JsonValue | undefined>>

/**
 * One error for each unknown scope and provider that a client would newly refer to. References of `before` can stay: a file
 * can remove a scope, and clients of the dashboard keep its name.
 */
export async function unknownNames(
  { adminLists }: Pick<AdminPorts, 'adminLists'>,
  wanted: Document,
  before: Document,
): Promise<readonly FieldError[]> {
  const scopes = added(scopesOf(wanted), scopesOf(before))
  const schemes = added(schemesOf(wanted), schemesOf(before))
  const known = {
    scopes: knownScopes(scopes.length === 0 ? [] : (await adminLists.scopes()).map(({ name }) => name)),
    schemes: new Set<string>(
      schemes.length === 0 ? [] : (await adminLists.providers()).map(({ scheme }) => scheme),
    ),
  }
  return [
    ...scopes
      .filter(({ word }) => !known.scopes.has(word))
      .flatMap(({ word }) => errorFor('scope', unknownScope(word, known.scopes))),
    ...schemes
      .filter(({ word }) => !known.schemes.has(word))
      .flatMap(({ word, index }) =>
        errorFor(
          `identity_provider_restrictions.${index}`,
          unknownName(word, 'identity provider', known.schemes),
        ),
      ),
  ]
}

type Word = { readonly word: string; readonly index: number }

function added(wanted: readonly string[], before: readonly string[]): readonly Word[] {
  return wanted.map((word, index) => ({ word, index })).filter(({ word }) => !before.includes(word))
}

function scopesOf({ scope }: Document): readonly string[] {
  return typeof scope === 'string' ? scopeWords(scope) : []
}

function schemesOf({ identity_provider_restrictions: schemes }: Document): readonly string[] {
  return Array.isArray(schemes) ? schemes.map(String) : []
}
