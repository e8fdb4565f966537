/** The screens of the dashboard and what can be begun there, found by the beginnings of their words. */
import { may, type Permission } from '#lib/admin/access/permissions.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { areas } from '../_ui/areas.ts'

type Offer = {
  readonly name: string
  readonly path: string
  readonly permission: Permission
  /** Other words that people may look for. */
  readonly words: string
}

const actions: readonly Offer[] = [
  {
    name: 'New client',
    path: '/admin/clients/new',
    permission: 'clients:create',
    words: 'add register create app',
  },
  {
    name: 'New user',
    path: '/admin/users/new',
    permission: 'users:create',
    words: 'add create user people',
  },
  {
    name: 'Reset a password',
    path: '/admin/users',
    permission: 'users:reset',
    words: 'new forgotten change person user',
  },
  {
    name: 'Lock or unlock a user',
    path: '/admin/users',
    permission: 'users:update',
    words: 'block disable enable ban user account',
  },
  {
    name: 'New scope',
    path: '/admin/scopes/new',
    permission: 'scopes:create',
    words: 'add create api resource',
  },
  {
    name: 'New identity provider',
    path: '/admin/providers/new',
    permission: 'providers:create',
    words: 'add create federation upstream sso',
  },
  { name: 'Rotate keys', path: '/admin/keys', permission: 'keys:rotate', words: 'signing revoke jwks' },
  {
    name: 'End sessions and revoke tokens',
    path: '/admin/sessions',
    permission: 'grants:revoke',
    words: 'sign out consents remove everybody',
  },
  {
    name: 'See what failed',
    path: '/admin/events?outcome=failure',
    permission: 'events:read',
    words: 'errors refused why',
  },
  {
    name: 'See who is locked',
    path: '/admin/users?enabled=false',
    permission: 'users:read',
    words: 'disabled users',
  },
  {
    name: 'Invite an administrator',
    path: '/admin/administrators',
    permission: 'administrators:invite',
    words: 'new add role owner',
  },
  {
    name: 'Export the configuration',
    path: '/admin/configuration',
    permission: 'configuration:read',
    words: 'backup download json code',
  },
  {
    name: 'Compare and apply a configuration',
    path: '/admin/configuration',
    permission: 'configuration:apply',
    words: 'import upload json code',
  },
]

const screens: readonly Offer[] = areas.map(area => ({ ...area, words: 'go to show list' }))

/** What this role may do and see. Every word of `text` begins a word of each; an empty text leaves nothing out. */
export function offersFor(
  role: AdminRole,
  text: string,
): { readonly actions: readonly Offer[]; readonly screens: readonly Offer[] } {
  const typed = wordsIn(text)
  const fits = ({ name, words, permission }: Offer) =>
    may(role, permission) &&
    typed.every(start => wordsIn(`${name} ${words}`).some(word => word.startsWith(start)))
  return { actions: actions.filter(fits), screens: screens.filter(fits) }
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}
