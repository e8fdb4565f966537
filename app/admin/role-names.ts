/** The roles in words. */
import type { AdminRole } from '#lib/protocol/admin-role.ts'

export const roleNames: Readonly<
  Record<AdminRole, { readonly name: string; readonly asPhrase: string; readonly summary: string }>
> = {
  owner: { name: 'Owner', asPhrase: 'an owner', summary: 'May do everything, and decides who else may.' },
  client_manager: {
    name: 'Client manager',
    asPhrase: 'a client manager',
    summary: 'Registers apps and scopes, and looks after their secrets.',
  },
  user_support: {
    name: 'User support',
    asPhrase: 'user support',
    summary: 'Helps people: accounts, passwords, sessions and consents.',
  },
  auditor: { name: 'Auditor', asPhrase: 'an auditor', summary: 'Sees everything and changes nothing.' },
}
