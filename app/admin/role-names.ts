import type { AdminRole } from '#lib/protocol/admin-role.ts'

export const roleNames: Readonly<
  Record<AdminRole, { readonly name: string; readonly asPhrase: string; readonly summary: string }>
> = {
  owner: { name: 'Owner', asPhrase: 'an owner', summary: 'Full access, including administrators.' },
  client_manager: {
    name: 'Client manager',
    asPhrase: 'a client manager',
    summary: 'Manages clients, scopes and their secrets.',
  },
  user_support: {
    name: 'User support',
    asPhrase: 'user support',
    summary: 'Manages users, passwords, sessions and consents.',
  },
  auditor: { name: 'Auditor', asPhrase: 'an auditor', summary: 'Read-only access to everything.' },
}
