/** A notice that the next start of the server resets this object to the configuration file or to the demo. */
import { managedBy } from '#lib/admin/configuration/managed-names.ts'
import type { AdminPage } from '../admin-page.tsx'

const words = {
  clients: { thing: 'client', start: 'resets it, including its secrets' },
  scopes: { thing: 'scope', start: 'resets it, including its secrets' },
  providers: { thing: 'provider', start: 'resets it, including its secret' },
  // The text does not name the user name: without a `sub` in the file, the start does not find a renamed user
  users: {
    thing: 'user',
    start: 'resets the claims and the lock, and the password if it changed in the file',
  },
  policies: { thing: 'record', start: 'resets the policies' },
} as const

type ManagedByFileNoticeProps = {
  readonly page: AdminPage
  readonly kind: keyof typeof words
  readonly id: string
}

export async function ManagedByFileNotice({ page, kind, id }: ManagedByFileNoticeProps) {
  const source = await managedBy(page.ports.meta, kind, id)
  if (source === null) return null
  const { thing, start } = words[kind]
  return (
    <p className="small muted">
      {source === 'demo' ? (
        `This ${thing} belongs to the demo. The next start ${start}.`
      ) : (
        <>
          This {thing} is defined in the file of <code className="mono">LATCHKEY_CONFIG</code>. The next start{' '}
          {start}. Make lasting changes in the file.
        </>
      )}
    </p>
  )
}
