/** The addresses of the lists of sessions, access and consents, filtered by user and client. */
export const listNames = ['sessions', 'access', 'consents'] as const
export type ListName = (typeof listNames)[number]

/** The orders of each list. The first one is the default. */
export const ordersOf = {
  sessions: ['-last_active', 'last_active', '-signed_in', 'signed_in'],
  access: ['-granted', 'granted'],
  consents: ['-granted', 'granted'],
} as const

export function isOrderOf(list: ListName, sort: string | undefined): boolean {
  return ordersOf[list].some(order => order === sort)
}

export const sessionsRoot = '/admin/sessions'

export type ListAddress = {
  readonly list: ListName
  /** The subject of a user. */
  readonly sub?: string | null
  readonly clientId?: string | null
  /** The order, such as `-signed_in`. */
  readonly sort?: string | undefined
}

export function sessionsPath(address: ListAddress): string {
  const search = new URLSearchParams(sessionsQuery(address)).toString()
  return search === '' ? sessionsRoot : `${sessionsRoot}?${search}`
}

/** The query of a list. The list of sessions is the default and needs no `show`; it has no filter by client. */
export function sessionsQuery({ list, sub, clientId, sort }: ListAddress): Readonly<Record<string, string>> {
  const isOfClient = typeof clientId === 'string' && list !== 'sessions'
  return {
    ...(list === 'sessions' ? {} : { show: list }),
    ...(typeof sub === 'string' ? { sub } : {}),
    ...(isOfClient ? { client_id: clientId } : {}),
    ...(sort === undefined ? {} : { sort }),
  }
}
