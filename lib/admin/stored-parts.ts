/** What applying a configuration needs: a look at what is stored, and the keepers of secrets. */
import type { Clients, Secrets } from '#lib/ports/clients.ts'
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
  readonly secrets: Secrets & { readonly digest: (secret: string) => Promise<string> }
  /** Why a password may not be set, as the end of a sentence; `null` when it may. `context`: words that belong to the person. */
  readonly passwordProblem: (password: string, context: readonly string[]) => Promise<string | null>
}

export type RecordParts = Keepers & { readonly storage: ConfiguredStore }
