/** What every page of the dashboard asks first: who is there, and may they see this. */
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { type PageInput, type Query, readQuery, readVisit, type Visit } from '#app/_ui/visit.ts'
import { currentAdminSession, type SignedInAdmin } from '#lib/admin/access/admin-session.ts'
import { type FormState, type OneTimeMessage, readDraft, takeAnswer } from '#lib/admin/access/flash.ts'
import { may, type Permission, rolesThatMay } from '#lib/admin/access/permissions.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { Actor } from '#lib/admin/use-case.ts'
import { findUseCase } from '#lib/admin/use-cases.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { signInPath } from './sign-in/sign-in-path.ts'

export type AdminPage = {
  readonly ports: AdminPorts
  readonly actor: Actor
  /** The browser session that this visit rests on. */
  readonly sessionId: string
  readonly query: Query
  /** Path and query of this page without what forms left in it, for `_back` and for filters. */
  readonly here: string
  readonly path: string
  readonly issuer: string
  readonly siteName: string
  readonly context: RequestContext
  readonly now: Date
  /** Rejected input of a form on this page. */
  readonly draft: FormState | null
  /** What a use case answered, shown this once. */
  readonly answer: OneTimeMessage | null
  /** What just worked, as a sentence. */
  readonly done: string | null
  /** Whether this admin may; `null` says yes, else the sentence that says who may. */
  readonly reasonAgainst: (permission: Permission) => string | null
}

const passing = ['draft', 'done', 'shown']

/**
 * The guard of one page. Nobody signed in is sent to sign in and comes back to the same address; a role that may not is
 * refused with 403 and an event (AD-01).
 */
export async function requireAdminPage(
  permission: Permission,
  path: string,
  input: PageInput,
): Promise<AdminPage> {
  const [query, visit, admin] = await Promise.all([readQuery(input), readVisit(), readAdmin()])
  const here = addressOf(path, query)
  if (admin === null) redirect(signInPath(here))
  const page = await openPage(visit, admin, { path, here, query })
  const reason = page.reasonAgainst(permission)
  if (reason !== null) {
    recordRefusal(page, permission)
    throw new PageRefusal('role', page, reason)
  }
  const { ports } = page
  const { session } = admin
  return {
    ...page,
    draft: await readDraft(ports, session, query.draft),
    answer: await takeAnswer(ports, session, query.shown),
    done: query.done === undefined ? null : (findUseCase(query.done)?.done ?? null),
  }
}

type Address = Pick<AdminPage, 'path' | 'here' | 'query'>

/** Whatever is asked for, without what forms left in it. */
async function openPage(
  visit: Visit,
  { actor, session }: SignedInAdmin,
  address: Address,
): Promise<AdminPage> {
  const { services } = visit
  const ports = services.admin
  return {
    ports,
    actor,
    sessionId: session.sessionId,
    ...address,
    issuer: services.config.issuer,
    siteName: services.config.siteName,
    context: visit.context,
    now: ports.clock.now(),
    draft: null,
    answer: null,
    done: null,
    reasonAgainst: wanted =>
      may(actor.role, wanted)
        ? null
        : `Only ${inWords.format(rolesThatMay(wanted).map(plural))} may do this.`,
  }
}

/** The name shown for the admin. */
export async function nameOfAdmin(ports: AdminPorts, { subject }: Actor): Promise<string> {
  const found = (await ports.adminLists.namesOf([subject])).get(subject)
  return found?.name ?? found?.username ?? subject
}

/** The admin of this request; `null` without a session. Read once, however many components ask. */
export const readAdmin = cache(async (): Promise<SignedInAdmin | null> => {
  const { services, cookies } = await readVisit()
  return currentAdminSession(services.admin, cookies.admin)
})

function addressOf(path: string, query: Query): string {
  const kept = Object.entries(query).filter(([name]) => !passing.includes(name))
  const search = new URLSearchParams(kept).toString()
  return search === '' ? path : `${path}?${search}`
}

const inWords = new Intl.ListFormat('en')

function plural(role: AdminRole): string {
  return role === 'user_support' ? 'user support' : `${role.replace('_', ' ')}s`
}

function recordRefusal({ ports, actor, context }: AdminPage, permission: Permission): void {
  const details = { permission, role: actor.role }
  ports.events.record(
    { name: 'admin_refused', outcome: 'failure', subject: actor.subject, reason: 'not_allowed', details },
    context,
  )
}

/** The role may not, there is no such thing, or nothing has this address. */
type Why = 'role' | 'thing' | 'address'

const reasons = {
  role: 'admin_not_allowed',
  thing: 'admin_target_unknown',
  address: 'admin_target_unknown',
} as const

/** Thrown by whatever a page asks first; `withAdminErrors` draws it. */
export class PageRefusal extends OauthError {
  readonly why: Why
  readonly page: AdminPage

  /** `sentence`: who may instead. */
  constructor(why: Why, page: AdminPage, sentence: string | null = null) {
    super(reasons[why], { description: sentence })
    this.why = why
    this.page = page
  }
}

export function isPageRefusal(error: unknown): error is PageRefusal {
  return isOauthError(error) && 'page' in error
}
