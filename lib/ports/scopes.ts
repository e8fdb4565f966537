import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import type { StoredSecret } from './clients.ts'

export type RegisteredScope = { readonly scope: Scope; readonly secrets: readonly StoredSecret[] }

export type Scopes = {
  /** Every scope, enabled or not, in registration order. A change is seen by the next call, on every node. */
  readonly all: () => Promise<readonly RegisteredScope[]>
  readonly find: (name: ScopeName) => Promise<RegisteredScope | null>
}
