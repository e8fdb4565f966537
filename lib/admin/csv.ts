/** Tables for spreadsheets (RFC 4180). */

/** AD-08: what a spreadsheet would run as a formula begins with one of these, or with their wide forms. */
const formulaStarters = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

export function csvOf(rows: ReadonlyArray<readonly string[]>): string {
  return rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(text: string): string {
  const harmless = formulaStarters.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
