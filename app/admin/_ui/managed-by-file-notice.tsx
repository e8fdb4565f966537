/** Says of what the configuration made that a change here does not outlive the next start. */
import { setBackBy } from '#lib/admin/configuration/managed-names.ts'
import type { AdminPage } from '../admin-page.ts'

const words = {
  clients: { thing: 'client', start: 'sets it back, secrets included', change: 'it' },
  scopes: { thing: 'scope', start: 'sets it back, secrets included', change: 'it' },
  providers: { thing: 'provider', start: 'sets it back, its secret included', change: 'it' },
  // A renamed person without a `sub` in the file is nobody whom it names
  users: {
    thing: 'person',
    start: 'sets claims and lock back, not a password that is still the same there',
    change: 'those and the user name',
  },
} as const

type ManagedByFileNoticeProps = {
  readonly page: AdminPage
  readonly kind: keyof typeof words
  readonly id: string
}

export async function ManagedByFileNotice({ page, kind, id }: ManagedByFileNoticeProps) {
  const source = await setBackBy(page.ports.meta, kind, id)
  if (source === null) return null
  const { thing, start, change } = words[kind]
  return (
    <p className="small muted">
      {source === 'demo' ? (
        `This ${thing} belongs to the demo: the next start ${start}.`
      ) : (
        <>
          This {thing} is from the file in <code className="mono">LATCHKEY_CONFIG</code>: the next start{' '}
          {start}. Change {change} there, too.
        </>
      )}
    </p>
  )
}
