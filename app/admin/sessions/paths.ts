/** The addresses of what people and apps hold: which list, of whom, and in which app. */
export const showings = ['sessions', 'access', 'consents'] as const
export type Showing = (typeof showings)[number]

export const sessionsRoot = '/admin/sessions'

export type Of = {
  readonly show: Showing
  /** A subject. */
  readonly sub?: string | null
  readonly clientId?: string | null
}

export function sessionsPath(of: Of): string {
  const search = new URLSearchParams(sessionsQuery(of)).toString()
  return search === '' ? sessionsRoot : `${sessionsRoot}?${search}`
}

/** Without what goes without saying. Sessions belong to no app. */
export function sessionsQuery({ show, sub, clientId }: Of): Readonly<Record<string, string>> {
  const isOfApp = typeof clientId === 'string' && show !== 'sessions'
  return {
    ...(show === 'sessions' ? {} : { show }),
    ...(typeof sub === 'string' ? { sub } : {}),
    ...(isOfApp ? { client_id: clientId } : {}),
  }
}
