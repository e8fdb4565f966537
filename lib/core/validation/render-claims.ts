/** How the validation endpoints show claims: IdentityServer3's form, which its clients rely on. */
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'

/** Of a signed token: every value is text, as `"1413203781"`, `"true"`, or JSON for an object. */
export function renderAsText(claims: Claims): Claims {
  return render(claims, asText)
}

/** Of a reference token: numbers, booleans and objects keep their types. */
export function renderTyped(claims: Claims): Claims {
  return render(claims, value => value)
}

// One value is a scalar, several different ones are an array, and no value omits the claim.
function render(claims: Claims, show: (value: JsonValue) => JsonValue): Claims {
  return Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) => renderOne(name, valuesOf(value).map(show))),
  )
}

function renderOne(name: string, values: readonly JsonValue[]): ReadonlyArray<readonly [string, JsonValue]> {
  const different = withoutRepeats(values)
  const [first] = different
  if (first === undefined) return []
  return [[name, different.length === 1 ? first : different]]
}

function valuesOf(value: JsonValue): readonly JsonValue[] {
  const values: readonly JsonValue[] = isList(value) ? value : [value]
  return values.filter(item => item !== null)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function withoutRepeats(values: readonly JsonValue[]): readonly JsonValue[] {
  if (values.length === 1) return values
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()]
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
