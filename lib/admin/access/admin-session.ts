/**
 * Finds and ends the session of an admin in the dashboard, and stores state that a form passes to the next page: sealed, and
 * readable only in this browser session.
 */
import { z } from 'zod'
import { adminSession } from '#lib/config/limits.ts'
import type { AdminSession } from '#lib/ports/administration.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import {
  type AdminSessionHandle,
  type Digest,
  type PageStateHandle,
  parseHandle,
  type SessionHandle,
} from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { Actor, FormFields } from '../use-case.ts'

export type SignedInAdmin = { readonly actor: Actor; readonly session: AdminSession }

/** The handles that the browser sent. */
export type AdminCookies = {
  readonly admin: AdminSessionHandle | null
  /** The current browser session. */
  readonly session: SessionHandle | null
}

/**
 * Finds the session and extends it. Returns `null` if there is none, it ended, its browser session is not the current one, or its
 * user is not an active administrator (AD-09).
 */
export async function currentAdminSession(
  ports: AdminPorts,
  cookies: AdminCookies,
): Promise<SignedInAdmin | null> {
  const signedIn = await peekAdminSession(ports, cookies)
  if (signedIn !== null) await ports.adminSessions.touch(signedIn.session.digest, ports.clock.now())
  return signedIn
}

/** Finds the session like `currentAdminSession`, but does not extend it. */
export async function peekAdminSession(
  ports: AdminPorts,
  { admin, session: browserSession }: AdminCookies,
): Promise<SignedInAdmin | null> {
  if (admin === null || browserSession === null) return null
  const digest = ports.hashing.digest(admin)
  const found = await ports.adminSessions.find(digest, ports.clock.now())
  // With another account of this browser, the dashboard is not open
  if (found?.browserSession !== ports.hashing.digest(browserSession)) return null
  if (!(await ports.userService.isActive(found.session.subject))) {
    await ports.adminSessions.end(digest)
    return null
  }
  const { subject, authenticatedAt } = found.session
  return { session: found.session, actor: { subject, role: found.role, authenticatedAt } }
}

/** Ends the session, if there is one. */
export async function endAdminSession(ports: AdminPorts, handle: AdminSessionHandle | null): Promise<void> {
  if (handle !== null) await ports.adminSessions.end(ports.hashing.digest(handle))
}

const fieldsSchema = z.record(z.string(), z.array(z.string()))

const pageStateSchema = z.discriminatedUnion('kind', [
  /** Rejected input, to be shown again with its errors. */
  z.object({
    kind: z.literal('rejected_form'),
    useCase: z.string(),
    fields: fieldsSchema,
    /** Secrets that the admin had entered, for the same form after a fresh sign-in. They are never sent to a page. */
    secrets: fieldsSchema.optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
    conflict: z.object({ reason: z.string(), current: jsonValueSchema }).nullable(),
  }),
  /** The result of a use case that is shown only once, such as a new secret. */
  z.object({ kind: z.literal('one_time_result'), useCase: z.string(), value: jsonValueSchema }),
])

/** Query parameters of the next page: two with the handle of a page state, and one for the success message. */
export const pageStateParameters = ['rejected_form', 'one_time_result', 'done'] as const

export type PageState = z.infer<typeof pageStateSchema>
export type RejectedForm = Omit<Extract<PageState, { kind: 'rejected_form' }>, 'secrets'> & {
  /** Whether `typedSecrets` has something for this form. */
  readonly hasSecrets: boolean
}
export type OneTimeResult = Extract<PageState, { kind: 'one_time_result' }>

/** Stores the state for the next page, whose query contains the handle. */
export async function storePageState(
  ports: AdminPorts,
  session: AdminSession,
  state: PageState,
): Promise<PageStateHandle> {
  const handle = ports.random.handle('pageState')
  const digest = ports.hashing.digest(handle)
  await ports.adminPageStates.create({
    digest,
    sessionDigest: ownerOf(ports, session),
    sealedContent: ports.sealing.seal(JSON.stringify(state), placeOf(digest)),
    expiresAt: secondsAfter(ports.clock.now(), adminSession.pageStateSeconds),
  })
  return handle
}

/** The rejected input of a form. Reading does not delete it, so that reloading the page shows it again. */
export async function readRejectedForm(
  ports: AdminPorts,
  session: AdminSession,
  text: string | undefined,
): Promise<RejectedForm | null> {
  const state = await read(ports, session, text, 'find')
  if (state?.kind !== 'rejected_form') return null
  const { secrets, ...form } = state
  return { ...form, hasSecrets: Object.keys(secrets ?? {}).length > 0 }
}

/** The secrets that an admin typed into a form of this use case before a fresh sign-in was required. */
export async function typedSecrets(
  ports: AdminPorts,
  session: AdminSession,
  { handle, useCase }: { readonly handle: string | null; readonly useCase: string },
): Promise<FormFields> {
  const state = handle === null ? null : await read(ports, session, handle, 'find')
  return state?.kind === 'rejected_form' && state.useCase === useCase ? (state.secrets ?? {}) : {}
}

/** Returns the result of a use case and deletes it. */
export async function takeOneTimeResult(
  ports: AdminPorts,
  session: AdminSession,
  text: string | undefined,
): Promise<OneTimeResult | null> {
  const state = await read(ports, session, text, 'take')
  return state?.kind === 'one_time_result' ? state : null
}

async function read(
  ports: AdminPorts,
  session: AdminSession,
  text: string | undefined,
  how: 'find' | 'take',
): Promise<PageState | null> {
  const handle = parseHandle('pageState', text)
  if (handle === null) return null
  const digest = ports.hashing.digest(handle)
  const found = await ports.adminPageStates[how](digest, ownerOf(ports, session), ports.clock.now())
  if (found === null) return null
  return pageStateSchema.parse(JSON.parse(ports.sealing.open(found.sealedContent, placeOf(digest))))
}

/** A page state belongs to the browser session and its user, which stay the same after a fresh sign-in of this user. */
function ownerOf({ hashing }: AdminPorts, { sessionId, subject }: AdminSession): Digest {
  return hashing.digest(JSON.stringify([sessionId, subject]))
}

function placeOf(digest: string): string {
  return `admin_page_state:content:${digest}`
}
