/** The state of the installation: issuer, database, backup, keys, purge, audit log, mail, ways in, and stored objects. */
import { Fragment } from 'react'
import { countedText } from '#lib/admin/counted-text.ts'
import type { Health } from '#lib/admin/overview/health.ts'
import { missingFunctions } from '#lib/admin/overview/missing-functions.ts'
import { readPurged } from '#lib/admin/overview/overview.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import { secondFactorPolicyOf } from '#lib/protocol/registration/policies.ts'
import { Facts, Section } from '../_ui/page-parts.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { numberText } from '../overview/number-words.ts'
import { passkeyText, secondFactorText } from '../overview/ways-in-words.ts'
import { removedWords } from '../overview/words.ts'

const names = new Intl.ListFormat('en')

type HealthProps = { readonly page: AdminPage; readonly health: Health }

export async function HealthSection({ page, health }: HealthProps) {
  const { ports, now, issuer } = page
  const [policies, clients, users, usage, release, purged] = await Promise.all([
    ports.policies.current(),
    ports.adminLists.countClients({ search: null, kind: null, enabled: null }),
    ports.adminLists.countUsers({ search: null, enabled: null }),
    ports.adminLists.usage({ subject: null, clientId: null }, now),
    ports.release(),
    readPurged(ports, now),
  ])
  return (
    <Section title="Health" id="health">
      <Facts
        facts={{
          Release: releaseText(release),
          Issuer: <span className="mono">{issuer}</span>,
          Database: <Database health={health} />,
          Backup: <Backup file={health.database.file} />,
          'Signing keys': <Keys health={health} now={now} />,
          Housekeeping: <Purge health={health} purged={purged} now={now} />,
          'Audit log': <Changes health={health} now={now} />,
          Mail: <Mail health={health} />,
          Passkeys: passkeyText(health.passkeys, policies),
          'Second factor': secondFactorText(secondFactorPolicyOf(policies)),
          'User service': userServiceText(ports.userService),
          Stored: [
            countedText(clients, 'client', 'clients'),
            countedText(users, 'user', 'users'),
            countedText(usage.sessions, 'session', 'sessions'),
          ].join(', '),
        }}
      />
    </Section>
  )
}

function releaseText({ version, workers }: Awaited<ReturnType<AdminPage['ports']['release']>>) {
  const name = `Latchkey ${version}`
  return workers === null ? name : `${name}; ${workers.running} of ${workers.wanted} workers of this node`
}

function Database({ health: { database } }: { readonly health: Health }) {
  const { kind, bytes, freeBytes, answeredMs } = database
  const name = kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const free = freeBytes === null ? '' : `, ${sizeText(freeBytes)} free on the disk`
  return `${name} answered in ${answeredMs < 1 ? 'under 1' : Math.round(answeredMs)} ms; ${sizeText(bytes)}${free}`
}

function Backup({ file }: Pick<Health['database'], 'file'>) {
  return (
    <>
      Backups are not tracked. To back up the running server:{' '}
      <code>{file === null ? 'pg_dump' : 'npm run backup'}</code>; see docs/backup.md.
    </>
  )
}

function Keys({ health: { keys, rotations }, now }: { readonly health: Health; readonly now: Date }) {
  const active = keys.filter(key => keyState(key, now) === 'active').map(({ algorithm }) => algorithm)
  if (active.length === 0) return 'No active key'
  const days = Math.min(...rotations.map(({ days_to_rotation }) => days_to_rotation))
  return `${names.format(active)}; next rotation in ${days} ${days === 1 ? 'day' : 'days'}`
}

type PurgeProps = Pick<HealthProps, 'health'> & {
  readonly purged: Awaited<ReturnType<typeof readPurged>>
  readonly now: Date
}

function Purge({ health: { purge }, purged, now }: PurgeProps) {
  const what = purged.map(({ label, count }) => `${removedWords(label)} ${numberText(count)}`).join(', ')
  return (
    <>
      {purge.isOverdue && <span className="tag warn">Overdue</span>}{' '}
      {purge.at === null ? (
        'not run yet'
      ) : (
        <>
          last run <TimeAgo at={purge.at} now={now} />
        </>
      )}
      {what === '' ? '; nothing deleted in 7 days' : `; deleted in 7 days: ${what}`}
    </>
  )
}

function Changes({ health: { audit }, now }: { readonly health: Health; readonly now: Date }) {
  const { check, changes, isOverdue } = audit
  if (changes === 0) return 'No changes yet'
  if (check === null) return `${numberText(changes)} recorded; first verification within a minute`
  if (check.found.kind === 'broken')
    return (
      <>
        <span className="tag bad">Broken</span> at change {check.found.seq}, found{' '}
        <TimeAgo at={check.at} now={now} />
      </>
    )
  return (
    <>
      <span className={isOverdue ? 'tag warn' : 'tag good'}>{isOverdue ? 'Overdue' : 'Intact'}</span>{' '}
      {numberText(check.found.rows)} of {numberText(Math.max(changes, check.found.rows))} verified{' '}
      <TimeAgo at={check.at} now={now} />
    </>
  )
}

function Mail({ health: { mail } }: { readonly health: Health }) {
  const { service, retried, givenUp } = mail
  if (service.kind === 'off') return 'Off: SMTP_URL is not set'
  const way = service.kind === 'folder' ? 'Written to files' : `By ${service.host}:${service.port}`
  return (
    <>
      {retried + givenUp > 0 && <span className="tag warn">Check</span>} {way}
      {retried > 0 && `; ${numberText(retried)} waiting for another attempt`}
      {givenUp > 0 && `; ${numberText(givenUp)} given up since yesterday`}
    </>
  )
}

type UserService = AdminPage['ports']['userService']

/** Names the functions that a custom user service does not have; `null` if it has all. */
function userServiceText(service: UserService) {
  const missing = missingFunctions(service)
  if (missing.length === 0) return null
  return (
    <>
      Custom.
      {missing.map(({ name, consequence }) => (
        <Fragment key={name}>
          {' '}
          Without <code>{name}</code>: {consequence}
        </Fragment>
      ))}
    </>
  )
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)))
  return `${numberText(Number((bytes / 1024 ** power).toPrecision(3)))} ${units[power]}`
}
