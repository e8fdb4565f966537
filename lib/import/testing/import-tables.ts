/** All tables of rules, for the tests of the documentation. */
import type { FieldRule } from '../mapping/field-map.ts'
import { clientRules, scopeRules } from '../mapping/identityserver3.ts'
import { clientRules4 } from '../mapping/identityserver4.ts'
import { apiResourceRules, apiScopeRules, identityResourceRules } from '../mapping/identityserver4-scopes.ts'
import { userAccountRules } from '../mapping/membership-reboot.ts'
import { aspNetUserRules } from '../mapping/users.ts'

type ImportTable = {
  /** The kind of object whose fields `becomes` names. */
  readonly target: 'client' | 'scope' | 'user'
  readonly rules: readonly FieldRule[]
}

/** The tables by the class of the other server. */
export const importTables: Readonly<Record<string, ImportTable>> = {
  'IdentityServer3 Client': { target: 'client', rules: clientRules },
  'IdentityServer3 Scope': { target: 'scope', rules: scopeRules },
  'IdentityServer4 Client': { target: 'client', rules: clientRules4 },
  'IdentityServer4 IdentityResource': { target: 'scope', rules: identityResourceRules },
  'IdentityServer4 ApiScope': { target: 'scope', rules: apiScopeRules },
  'IdentityServer4 ApiResource': { target: 'client', rules: apiResourceRules },
  'ASP.NET Identity': { target: 'user', rules: aspNetUserRules },
  MembershipReboot: { target: 'user', rules: userAccountRules },
}
