/** Says that the next start resets an object of the configuration file or of the demo. */
import { managedBy } from '#lib/admin/configuration/managed-names.ts'
import type { AdminPage } from '../admin-page.tsx'

const words = {
  clients: { thing: 'client', start: 'resets it, including secrets', change: 'it' },
  scopes: { thing: 'scope', start: 'resets it, including secrets', change: 'it' },
  providers: { thing: 'provider', start: 'resets it, including its secret', change: 'it' },
  // A renamed user without a `sub` in the file is no longer found by the file
  users: {
    thing: 'user',
    start: 'resets claims and lock, and the password if it changed in the file',
    change: 'those and the user name',
  },
} as const

type ManagedByFileNoticeProps = {
  readonly page: AdminPage
  readonly kind: keyof typeof words
  readonly id: string
}

export async function ManagedByFileNotice({ page, kind, id }: ManagedByFileNoticeProps) {
  const source = await managedBy(page.ports.meta, kind, id)
  if (source === null) return null
  const { thing, start, change } = words[kind]
  return (
    <p className="small muted">
      {source === 'demo' ? (
        `This ${thing} belongs to the demo: the next start ${start}.`
      ) : (
        <>
          This {thing} is from the file in <code className="mono">LATCHKEY_CONFIG</code>: the next start{' '}
          {start}. Also change {change} there.
        </>
      )}
    </p>
  )
}
