/** What applying a configuration needs: a look at what is stored, and the keepers of secrets. */
import type { Clients, StoredSecret } from '#lib/ports/clients.ts'
import type { Random, Sealing } from '#lib/ports/environment.ts'
import type { IdentityProviders } from '#lib/ports/grants.ts'
import type { Scopes } from '#lib/ports/scopes.ts'
import type { Passwords, Users } from '#lib/ports/users.ts'

export type ConfiguredStore = {
  readonly clients: Pick<Clients, 'find'>
  readonly scopes: Pick<Scopes, 'find'>
  readonly providers: Pick<IdentityProviders, 'find'>
  readonly users: Pick<Users, 'findBySubject' | 'findByUsername'>
}

export type Keepers = {
  readonly random: Random
  readonly sealing: Sealing
  readonly passwords: Passwords
  /** What to store of one owner's secrets, in their order. Those that are stored already keep their digests. */
  readonly secrets: {
    readonly digests: (
      secrets: readonly string[],
      stored: readonly StoredSecret[],
    ) => Promise<readonly string[]>
  }
  /** Why a password may not be set, as the end of a sentence; `null` when it may. `context`: words that belong to the person. */
  readonly passwordProblem: (password: string, context: readonly string[]) => Promise<string | null>
}

export type RecordParts = Keepers & { readonly storage: ConfiguredStore }
