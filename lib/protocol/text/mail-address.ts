/** Email addresses to which this server sends mail. */

/**
 * Whether the text is one address in the form that mail servers accept without quotes (RFC 5321 4.1.2): a local part of
 * ASCII, one `@`, and a host name. Refused are spaces, commas, control characters and comments, so that the text is never
 * read as several addresses or as a further header; `%`, `!` and `|`, which old mail servers read as routes or commands;
 * encoded words; and IP addresses.
 */
export function isMailAddress(text: string): boolean {
  const [, local = '', domain = ''] = /^([^@]*)@([^@]*)$/.exec(text) ?? []
  return isLocalPart(local) && isDomain(domain)
}

/**
 * Reads an address that a user typed (AU-17); `null` if it is not one. Compatibility forms of Unicode, such as a full-width `@`,
 * are folded before the check. The domain is written in lower case; the local part stays as typed.
 */
export function parseMailAddress(typed: string): string | null {
  const text = typed.trim().normalize('NFKC')
  if (text.length > longestAddress || !isMailAddress(text)) return null
  const at = text.indexOf('@')
  return `${text.slice(0, at)}${text.slice(at).toLowerCase()}`
}

/** RFC 5321 4.5.3.1.3, without the angle brackets. */
const longestAddress = 254

function isLocalPart(local: string): boolean {
  return local.length <= 64 && /^(?!-)[\w#$&'*+\-/=^`{}~]+(?:\.[\w#$&'*+\-/=^`{}~]+)*$/.test(local)
}

function isDomain(domain: string): boolean {
  return (
    domain.length <= 253 &&
    /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/.test(domain) &&
    !/(?:^|\.)\d+$/.test(domain) &&
    domain.split('.').every(label => /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label))
  )
}
