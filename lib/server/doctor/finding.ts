/** Makes the findings of the doctor. */
import type { Finding } from '#lib/admin/status/finding.ts'

export type { Finding } from '#lib/admin/status/finding.ts'

export function good(check: string, text: string): Finding {
  return { check, severity: 'good', text, fix: null }
}

export function warning(check: string, text: string, fix: string): Finding {
  return { check, severity: 'warning', text, fix }
}

export function failure(check: string, text: string, fix: string): Finding {
  return { check, severity: 'error', text, fix }
}
