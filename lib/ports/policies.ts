/** The policies of the site, as requests read them. */
import type { Policies } from '#lib/protocol/registration/policies.ts'

export type SitePolicies = {
  /** Returns the policies. Every node returns a change at its next read. */
  readonly current: () => Promise<Policies>
}
