/** Whether the house stands: database, keys, and how much lives in it. */
import { countedText } from '../_ui/counted-text.ts'
import { Facts } from '../_ui/facts.tsx'
import { Section } from '../_ui/section.tsx'
import { timeAgo } from '../_ui/time-words.ts'
import type { AdminPage } from '../admin-page.ts'

export async function Health({ page: { ports, now, issuer } }: { readonly page: AdminPage }) {
  const [keys, clients, users, usage] = await Promise.all([
    ports.signingKeys.all(),
    ports.adminLists.countClients({ search: null, kind: null, enabled: null }),
    ports.adminLists.countUsers({ search: null, enabled: null }),
    ports.adminLists.usage({ subject: null, clientId: null }, now),
  ])
  const active = keys.filter(
    ({ activatesAt, retiresAt }) => activatesAt <= now && (retiresAt === null || retiresAt > now),
  )
  const next = keys.map(({ activatesAt }) => activatesAt).filter(time => time > now)
  return (
    <Section title="Health">
      <Facts
        facts={[
          [
            'Issuer',
            <span key="issuer" className="mono">
              {issuer}
            </span>,
          ],
          ['Database', 'answers'],
          [
            'Signing keys',
            `${active.length} active${next[0] === undefined ? '' : `, the next ${timeAgo(next[0], now)}`}`,
          ],
          ['Clients', countedText(clients, 'client', 'clients')],
          ['People', countedText(users, 'person', 'people')],
          ['Signed in', countedText(usage.sessions, 'session', 'sessions')],
        ]}
      />
    </Section>
  )
}
