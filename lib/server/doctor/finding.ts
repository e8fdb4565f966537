/** The results of the checks of `npm run doctor`. */

/** `good`: as it should be. `warning`: it works, but not as well or not for long. `error`: it does not work, or is not safe. */
export type Severity = 'good' | 'warning' | 'error'

export type Finding = {
  readonly check: string
  readonly severity: Severity
  readonly text: string
  /** The advice; `null` if nothing needs to change. */
  readonly fix: string | null
}

export function good(check: string, text: string): Finding {
  return { check, severity: 'good', text, fix: null }
}

export function warning(check: string, text: string, fix: string): Finding {
  return { check, severity: 'warning', text, fix }
}

export function failure(check: string, text: string, fix: string): Finding {
  return { check, severity: 'error', text, fix }
}
