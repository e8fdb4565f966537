import type { Client } from '#lib/protocol/client.ts'
import type { ClientId } from '#lib/protocol/ids.ts'

/**
 * `digest` names the scheme and the salted or plain hash. `expiresAt: null` never expires.
 * Several may live at once, so that a rotation has no gap.
 */
export type StoredSecret = {
  readonly id: string
  /** What an admin calls it; a secret of the configuration file has none. */
  readonly name?: string | null
  readonly digest: string
  readonly expiresAt: Date | null
}

export type RegisteredClient = { readonly client: Client; readonly secrets: readonly StoredSecret[] }

export type Clients = {
  /** Also finds disabled clients: the caller decides. `null`: unknown. A change is seen by the next call, on every node. */
  readonly find: (clientId: ClientId) => Promise<RegisteredClient | null>
  /** Whether any enabled client registered this browser origin for CORS. */
  readonly allowsOrigin: (origin: string) => Promise<boolean>
}

/** Checks a presented client or scope secret against the stored ones. */
export type Secrets = {
  /** Compares in constant time; expired secrets never match. Costs the same whether the list is empty or not. */
  readonly verify: (presented: string, stored: readonly StoredSecret[], now: Date) => Promise<boolean>
  /** Which of them this process verified before, so that no password hash is needed; `null`: none. */
  readonly known: (presented: string, stored: readonly StoredSecret[], now: Date) => StoredSecret | null
  /**
   * Callers that try the same at the same moment share one run of `work` and what it says: which of the candidates is
   * right, if any. `tried` may hold secrets in clear; it is not kept.
   */
  readonly sharing: (tried: string, work: () => Promise<number | null>) => Promise<number | null>
}
