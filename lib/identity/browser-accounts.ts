/**
 * The accounts that are signed in in one browser. One of their sessions is the current one; the others are read only to choose among
 * them, or if a request names another account.
 */
import type { SignedInUser } from '#lib/core/authorize/authorize.ts'
import { type OpenedRequest, readHint } from '#lib/core/authorize/pending.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ClientId, SessionHandle } from '#lib/protocol/ids.ts'
import { type CurrentSession, markUse, readActiveSession, readCurrentSession } from './session.ts'

/** The sessions that the browser sent. */
export type SentSessions = {
  readonly session: SessionHandle | null
  /** All sessions, with the current one. */
  readonly sessions: readonly SessionHandle[]
}

export type BrowserAccount = CurrentSession & {
  readonly handle: SessionHandle
  readonly isCurrent: boolean
}

/** Returns the accounts, the current one first; each user once. This extends no idle time. */
export async function browserAccounts(
  ports: Ports,
  { session: current, sessions }: SentSessions,
): Promise<readonly BrowserAccount[]> {
  const read = await Promise.all(
    sessions.map(async handle => {
      const found = await readActiveSession(ports, handle)
      return found && { ...found, handle, isCurrent: handle === current }
    }),
  )
  const live = read.filter(account => account !== null).toSorted(byUse)
  const subjects = live.map(({ session }) => session.subject)
  return live.filter(({ session }, index) => subjects.indexOf(session.subject) === index)
}

function byUse(left: BrowserAccount, right: BrowserAccount): number {
  const later = right.session.lastSeenAt.getTime() - left.session.lastSeenAt.getTime()
  return Number(right.isCurrent) - Number(left.isCurrent) || later
}

type NewRequest = {
  readonly clientId: ClientId | undefined
  /** The `id_token_hint` as sent. */
  readonly idTokenHint: string | null
}

/**
 * Returns the user for whom a new request is answered: the one that `id_token_hint` names, if that user is signed in in this
 * browser, otherwise the current one. The current session stays the same.
 */
export async function userOfRequest(
  ports: Ports,
  sent: SentSessions,
  { clientId, idTokenHint }: NewRequest,
): Promise<SignedInUser> {
  const current = await readCurrentSession(ports, sent.session, clientId)
  if (idTokenHint === null || clientId === undefined || !hasOthers(sent)) return current ?? signedOut
  const hint = await readHint(ports, idTokenHint, clientId)
  const named = hint.kind === 'subject' ? [hint.subject] : []
  return (await findNamed(ports, sent, { current, named, clientId })) ?? signedOut
}

/**
 * Returns the user for whom a pending request continues: the current one if the sign-in is newer than the request; otherwise the
 * user that was chosen for this request, or that `id_token_hint` names, if that user is signed in in this browser.
 */
export async function userOfPending(
  ports: Ports,
  sent: SentSessions,
  opened: OpenedRequest | null,
  clientId: ClientId | undefined,
): Promise<CurrentSession | null> {
  const current = await readCurrentSession(ports, sent.session, clientId)
  if (opened === null || !hasOthers(sent)) return current
  if (current !== null && current.session.createdAt >= opened.createdAt) return current
  return findNamed(ports, sent, { current, named: namedUsers(opened), clientId })
}

function namedUsers({ chosenSubject, hint }: OpenedRequest): readonly string[] {
  const chosen = chosenSubject === null ? [] : [chosenSubject]
  return hint.kind === 'subject' ? [...chosen, hint.subject] : chosen
}

function hasOthers({ session, sessions }: SentSessions): boolean {
  return sessions.some(handle => handle !== session)
}

type Named = {
  readonly current: CurrentSession | null
  /** The users, the preferred one first. */
  readonly named: readonly string[]
  readonly clientId: ClientId | undefined
}

/** Returns the session of the first of these users who is signed in in this browser; otherwise the current one. */
async function findNamed(
  ports: Ports,
  { session, sessions }: SentSessions,
  { current, named, clientId }: Named,
): Promise<CurrentSession | null> {
  for (const subject of named) {
    if (current?.session.subject === subject) return current
    for (const handle of sessions) {
      const found = handle === session ? null : await readActiveSession(ports, handle, clientId)
      if (found?.session.subject !== subject) continue
      markUse(ports, found.session)
      return found
    }
  }
  return current
}

const signedOut: SignedInUser = { session: null }

/** Returns the account of this user, or the current one if no user is named; `null` if it is not signed in. */
export function findAccount(
  accounts: readonly BrowserAccount[],
  subject: string | null,
): BrowserAccount | null {
  const isNamed = (account: BrowserAccount) =>
    subject === null ? account.isCurrent : account.session.subject === subject
  return accounts.find(isNamed) ?? null
}
