import type { OperatorPorts } from '#lib/admin/access/operator.ts'
import type { Resources } from './resources.ts'

type Opened = Pick<Resources, 'storage' | 'clock' | 'hashing' | 'random'> & {
  readonly config: { readonly issuer: string; readonly refreshGraceSeconds: number }
}

/** What the operator's own acts need, also before the services are there. */
export function operatorPorts({ storage, clock, hashing, random, config }: Opened): OperatorPorts {
  const { adminStore, adminInvitations, administrators, clients, meta, users } = storage
  const settings = { issuer: config.issuer, refreshGraceSeconds: config.refreshGraceSeconds }
  return {
    adminStore,
    adminInvitations,
    administrators,
    clients,
    meta,
    users,
    clock,
    hashing,
    random,
    settings,
  }
}
