/**
 * Counts how many users have each kind of imported password hash. Sign-ins with unknown user names take the times of these kinds
 * in the same proportions, so that the time does not show whether a name exists.
 */
import { importedHashes } from '#lib/config/limits.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { Passwords } from '#lib/ports/passwords.ts'
import type { UserPasswordHash, Users } from '#lib/ports/users.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import {
  costOf,
  type HashKinds,
  hashKindsMeta,
  parseImportedHash,
  readHashKinds,
} from '#lib/protocol/registration/imported-hashes.ts'

type CountingPorts = {
  readonly meta: Meta
  readonly users: Pick<Users, 'listPasswordHashes'>
  readonly passwords: Pick<Passwords, 'expectImported'>
  readonly clock: Clock
}

/**
 * Reads the last count and passes its kinds to `passwords`. `countedAt` is 0 if there is no count yet. Returns `null`
 * if no hash was ever imported.
 */
export async function learnHashKinds({
  meta,
  passwords,
}: Pick<CountingPorts, 'meta' | 'passwords'>): Promise<HashKinds | null> {
  const stored = readHashKinds(await meta.find(hashKindsMeta)) ?? (await readEarlierRelease(meta))
  if (stored !== null) passwords.expectImported(stored.kinds)
  return stored
}

/** Reads the entry of an earlier release, which stored the work of the most expensive hash. */
async function readEarlierRelease(meta: Meta): Promise<HashKinds | null> {
  return (await meta.find('imported_password_work')) === null ? null : { countedAt: 0, kinds: [] }
}

/** Counts the hashes again unless no user has an imported one, or a process counted them within the hour. */
export async function maintainHashKinds(ports: CountingPorts): Promise<void> {
  const stored = await learnHashKinds(ports)
  if (stored === null) return
  const age = ports.clock.now().getTime() - stored.countedAt
  const isOver = stored.countedAt > 0 && stored.kinds.length === 0
  if (isOver || age < importedHashes.countEverySeconds * 1000) return
  await countHashKinds(ports, importedHashes.countPauseMs)
}

/** Counts the hashes of all users in small steps, and stores the most frequent kinds. `pauseMs`: the pause between two steps. */
export async function countHashKinds(ports: CountingPorts, pauseMs = 0): Promise<void> {
  const { meta, passwords, clock } = ports
  const counts = new Map<string, number>()
  let all = 0
  for await (const { passwordHash } of allPasswordHashes(ports, pauseMs)) {
    if (passwordHash === null) continue
    all += 1
    const hash = parseImportedHash(passwordHash)
    if (hash === null) continue
    const cost = costOf(hash)
    counts.set(cost, (counts.get(cost) ?? 0) + 1)
  }
  const most = [...counts].sort(([, left], [, right]) => right - left)
  const kinds = most.slice(0, importedHashes.kinds).map(([cost, users]) => ({ cost, share: users / all }))
  passwords.expectImported(kinds)
  await meta.replace(hashKindsMeta, JSON.stringify({ countedAt: clock.now().getTime(), kinds }))
}

/** Lists the password hashes of all users: `null` for a user without a password. */
export async function* allPasswordHashes(
  { users }: Pick<CountingPorts, 'users'>,
  pauseMs = 0,
): AsyncGenerator<UserPasswordHash> {
  let after: SubjectId | null = null
  for (;;) {
    const rows = await users.listPasswordHashes(after, importedHashes.countedTogether)
    yield* rows
    after = rows.at(-1)?.subject ?? null
    if (rows.length < importedHashes.countedTogether) return
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}
