/** Validation of the standard claims (OpenID Connect Core 5.1). */
import type { JsonValue } from '../claims.ts'
import { isLanguageTag } from '../text/language-tags.ts'
import { isRecord, webAddressSchema } from './fields.ts'

/** A rule returns the problem as the end of a sentence; `null`: the value is valid. */
type Rule = (value: JsonValue) => string | null

const text: Rule = value => {
  if (typeof value !== 'string') return 'must be a text'
  return value.trim() === '' ? 'must not be empty; omit it instead' : null
}

const webAddress: Rule = value =>
  webAddressSchema.safeParse(value).success
    ? null
    : 'must be an http or https address such as "https://example.com/alice"'

const trueOrFalse: Rule = value => (typeof value === 'boolean' ? null : 'must be true or false')

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'gender'].map(
    name => [name, text] as const,
  ),
  ...['profile', 'picture', 'website'].map(name => [name, webAddress] as const),
  ['email', email],
  ['email_verified', trueOrFalse],
  ['birthdate', birthdate],
  ['zoneinfo', timeZone],
  ['locale', locale],
  ['phone_number', phoneNumber],
  ['phone_number_verified', trueOrFalse],
  ['address', postalAddress],
  ['updated_at', secondsSince1970],
])

/**
 * Returns why a claim cannot have this value, as the end of a sentence; `null` if it can, or is not a standard claim. A
 * name may have a language (5.2): `family_name#ja-Kana-JP`.
 */
export function standardClaimProblem(name: string, value: JsonValue): string | null {
  const rule = rules.get(name.split('#')[0] ?? name)
  return rule === undefined ? null : rule(value)
}

/** Checks an email address (RFC 5322 3.4.1) without the unused forms: quotes, comments and addresses in brackets. */
function email(value: JsonValue): string | null {
  const isAddress =
    typeof value === 'string' &&
    value.length <= 320 &&
    /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\]+$/.test(value) &&
    !/^\.|\.\.|\.@|@\.|\.$/.test(value)
  return isAddress ? null : 'must be an email address such as "alice@example.com"'
}

/** Checks a date in ISO 8601 as restricted by the standard: a day, whose year may be 0000, or only a year. */
function birthdate(value: JsonValue): string | null {
  const isDate = typeof value === 'string' && (/^\d{4}$/.test(value) || isDay(value))
  return isDate ? null : 'must be a day such as "1990-12-31", "0000-12-31" without the year, or only a year'
}

function isDay(value: string): boolean {
  const [, year = '', rest = ''] = /^(\d{4})(-\d{2}-\d{2})$/.exec(value) ?? []
  // A leap year replaces the omitted year
  const day = `${year === '0000' ? '2000' : year}${rest}`
  const time = Date.parse(`${day}T00:00:00Z`)
  return year !== '' && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/**
 * Checks a name of the IANA time zone database in its exact spelling, because most apps compare it letter by letter.
 * The spelling of an alias is not known here, except that each part begins with a capital letter.
 */
function timeZone(value: JsonValue): string | null {
  const example = 'must be a time zone such as "Europe/Berlin" or "UTC"'
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) return example
  const known = knownZone(value)
  if (known === null) return example
  if (known.toLowerCase() !== value.toLowerCase()) return /(^|\/)[^A-Z]/.test(value) ? example : null
  return known === value ? null : `is spelled "${known}"`
}

function knownZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function locale(value: JsonValue): string | null {
  const isTag = typeof value === 'string' && value.length <= 35 && isLanguageTag(value)
  return isTag ? null : 'must be a language tag such as "en-US" or "de", with a hyphen'
}

/** Checks a phone number: digits and usual separators. E.164 is recommended, but not required. */
function phoneNumber(value: JsonValue): string | null {
  const isNumber =
    typeof value === 'string' &&
    value.length <= 50 &&
    /^\+?[\d\s().\-/]+(;ext=[\d\-.]+)?$/.test(value) &&
    (value.match(/\d/g)?.length ?? 0) >= 3
  return isNumber ? null : 'must be a telephone number such as "+44 20 7946 0000"'
}

const addressMembers = [
  'formatted',
  'street_address',
  'locality',
  'region',
  'postal_code',
  'country',
] as const

/** Checks an address (5.1.1). */
function postalAddress(value: JsonValue): string | null {
  if (!isRecord(value)) return 'must be an object such as {"locality": "Oxford", "country": "GB"}'
  const wrong = addressMembers.find(member => member in value && typeof value[member] !== 'string')
  return wrong === undefined ? null : `must contain a text as "${wrong}"`
}

function secondsSince1970(value: JsonValue): string | null {
  return typeof value === 'number' && value >= 0 ? null : 'must be a number: seconds since 1970'
}
