/** Plans consents, refresh tokens and reference tokens of the other server. */
import type { Consent, ImportedToken } from '#lib/ports/grants.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { type ClientId, clientIdSchema, scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { ImportedConsent, ReadRow } from './imported.ts'
import { inBatches } from './in-batches.ts'
import type { TokenParts } from './mapping/tokens.ts'
import type { PlacedNote, Planning } from './planning.ts'

/** The clients of the import that are not refused. The store can have more. */
export type ImportedClients = ReadonlyMap<string, Client>

export async function planConsents(
  planning: Planning,
  imported: Iterable<ImportedConsent>,
  clients: ImportedClients,
): Promise<readonly Consent[]> {
  const consents: Consent[] = []
  for await (const batch of inBatches(imported)) {
    const planned = await Promise.all(batch.map(given => planConsent(planning, given, clients)))
    consents.push(...planned.flatMap(consent => consent ?? []))
  }
  return consents
}

async function planConsent(
  planning: Planning,
  { place, subject, clientId, scopes, expiresAt }: ImportedConsent,
  clients: ImportedClients,
): Promise<Consent | null> {
  const { ports, counts, seen } = planning
  const id = `${subject} ${clientId}`
  const user = subjectIdSchema.safeParse(subject).data
  const client = clientIdSchema.safeParse(clientId).data
  const refuse = (text: string) => leaveOut(planning, { of: 'consent', place, id, text })
  if (user === undefined || client === undefined) return refuse('is not a consent of one user for one client')
  if (seen.has(`consent ${id}`)) return refuse('is in the export more than once')
  seen.add(`consent ${id}`)
  if (!(await isClient(planning, client, clients))) return refuse('its client is not here')
  const now = ports.clock.now()
  if (expiresAt !== null && expiresAt <= now) return null
  const isStored = (await ports.consents.find(user, client, now)) !== null
  counts.consent[isStored ? 'unchanged' : 'added'] += 1
  if (isStored) return null
  const names = scopes
    .flatMap(scope => scopeNameSchema.safeParse(scope).data ?? [])
    .filter(name => name !== adminScope)
  return { subject: user, clientId: client, scopes: names, createdAt: now, updatedAt: now, expiresAt }
}

/** Plans tokens. Each token is imported only once, even if it is no longer stored here. */
export async function planTokens(
  planning: Planning,
  read: (parts: TokenParts) => Iterable<ReadRow>,
  clients: ImportedClients,
): Promise<readonly ImportedToken[]> {
  const { ports, counts } = planning
  const absoluteSeconds = (clientId: ClientId) => {
    const client = clients.get(clientId)
    return client?.refreshTokenExpiration === 'sliding' ? client.absoluteRefreshTokenLifetimeSeconds : null
  }
  const tokens: ImportedToken[] = []
  const rows = read({ random: ports.random, now: ports.clock.now(), absoluteSeconds })
  for await (const batch of inBatches(rows)) {
    const found = (await Promise.all(batch.map(row => tokenIn(planning, row, clients)))).flatMap(
      token => token ?? [],
    )
    const known = await ports.importedTokens.known(found)
    const added = found.filter(({ token }) => !known.has(token.digest))
    counts.token.added += added.length
    counts.token.unchanged += found.length - added.length
    tokens.push(...added)
  }
  return tokens
}

async function tokenIn(
  planning: Planning,
  { place, owner, read }: ReadRow,
  clients: ImportedClients,
): Promise<ImportedToken | null> {
  const refuse = (text: string) => leaveOut(planning, { of: 'token', place, id: owner, text })
  if (read.kind === 'refused') return refuse(read.problem)
  if (read.kind !== 'token') return null
  const { clientId, digest } = read.token.token
  if (planning.seen.has(`token ${digest}`)) return refuse('is in the export more than once')
  planning.seen.add(`token ${digest}`)
  return (await isClient(planning, clientId, clients)) ? read.token : refuse('its client is not here')
}

async function isClient({ ports }: Planning, clientId: ClientId, clients: ImportedClients): Promise<boolean> {
  return clients.has(clientId) || (await ports.clients.find(clientId)) !== null
}

type LeftOut = Pick<PlacedNote, 'of' | 'place' | 'id' | 'text'>

/**
 * Notes an object that is left out. The import does not stop for it: the user only has to allow the client, or sign in,
 * again.
 */
function leaveOut({ counts, notes }: Planning, { of, place, id, text }: LeftOut): null {
  counts[of].refused += 1
  notes.push({ kind: 'changed', field: '', text: `is not taken over: ${text}`, of, place, id })
  return null
}
