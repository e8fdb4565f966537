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
