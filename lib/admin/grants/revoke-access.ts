/** Revokes sessions, grants and consents. */
import { z } from 'zod'
import type { AdminWrite, AuditEntry, EndSelection } from '#lib/ports/admin-store.ts'
import {
  type ClientId,
  clientIdSchema,
  grantIdSchema,
  type SubjectId,
  sessionIdSchema,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { AdminResult } from '../admin-result.ts'
import { ownersOnly } from '../clients/client-resource.ts'
import { type AdminCall, commit, defineUseCase, type UseCase, type UseCaseDefinition } from '../use-case.ts'
import { refusalToTouch } from '../users/user-resource.ts'
import { exportAccess, listAccess, listConsents, listGrants, listSessions } from './read-access.ts'

const output = z.object({})

type RevocationWrite = 'end_sessions' | 'revoke_grants' | 'remove_consents'

const everything: readonly RevocationWrite[] = ['end_sessions', 'revoke_grants']

type Revoked = {
  readonly writes: readonly RevocationWrite[]
  readonly kind: AuditEntry['targetKind']
}
type Selected = { readonly id: string; readonly selection: EndSelection }

type OfUser<I extends z.ZodType> = Revoked &
  Pick<UseCaseDefinition<I, Record<string, never>>, 'name' | 'summary' | 'done' | 'input' | 'api'> & {
    /** Selects what to revoke. `subject`: the user whose access that is; `null` if the session or grant does not exist. */
    readonly select: (
      ports: AdminPorts,
      input: z.output<I>,
    ) => Promise<Selected & { readonly subject: SubjectId | null }>
  }

/**
 * AD-03: only owners may revoke the access of an administrator other than themselves. Other roles could otherwise sign an owner
 * out again and again, to keep the owner from removing their role.
 */
function revocationOfUser<I extends z.ZodType>({ select, writes, kind, ...definition }: OfUser<I>) {
  return defineUseCase({
    ...definition,
    permission: 'grants:revoke',
    output,
    run: async (ports, input, call) => {
      const { subject, ...selected } = await select(ports, input)
      const isOwn = subject === call.actor.subject
      const refusal = subject === null || isOwn ? null : await refusalToTouch(ports, subject, call)
      return refusal ?? revoke(ports, { writes, kind, ...selected }, call)
    },
  })
}

export const endSession = revocationOfUser({
  name: 'grants.end_session',
  summary: 'Ends one browser session and the grants given in it, except those with offline access.',
  done: 'Session ended.',
  input: z.object({ session_id: sessionIdSchema }),
  api: { method: 'DELETE', path: '/sessions/{session_id}' },
  writes: ['end_sessions'],
  kind: 'session',
  select: async ({ adminLists }, { session_id: sessionId }) => ({
    id: sessionId,
    selection: { sessionId },
    subject: await adminLists.sessionOwner(sessionId),
  }),
})

export const endSessionsOfUser = revocationOfUser({
  name: 'grants.end_sessions_of_user',
  summary: 'Signs a user out everywhere and revokes every token issued for the user.',
  done: 'Signed out everywhere.',
  input: z.object({ sub: subjectIdSchema }),
  api: { method: 'POST', path: '/users/{sub}/sign-out' },
  writes: everything,
  kind: 'user',
  select: async (_ports, { sub: subject }) => ({ id: subject, selection: { subject }, subject }),
})

export const revokeGrant = revocationOfUser({
  name: 'grants.revoke',
  summary: 'Revokes one grant with every token issued on it.',
  done: 'Access revoked.',
  input: z.object({ grant_id: grantIdSchema }),
  api: { method: 'DELETE', path: '/grants/{grant_id}' },
  writes: ['revoke_grants'],
  kind: 'grant',
  select: async ({ grants }, { grant_id: grantId }) => ({
    id: grantId,
    selection: { grantId },
    subject: (await grants.find(grantId))?.subject ?? null,
  }),
})

const ofUserAndClient = {
  input: z.object({ sub: subjectIdSchema, client_id: clientIdSchema }),
  select: async (_ports: AdminPorts, input: { readonly sub: SubjectId; readonly client_id: ClientId }) => {
    const { sub: subject, client_id: clientId } = input
    return { id: `${subject} ${clientId}`, selection: { subject, clientId }, subject }
  },
} as const

export const revokeAccess = revocationOfUser({
  ...ofUserAndClient,
  name: 'grants.revoke_access',
  summary: 'Revokes every grant of a user for a client with its tokens. A remembered consent stays.',
  done: 'Access revoked.',
  api: { method: 'DELETE', path: '/users/{sub}/access/{client_id}' },
  writes: ['revoke_grants'],
  kind: 'grant',
})

export const removeConsent = revocationOfUser({
  ...ofUserAndClient,
  name: 'grants.remove_consent',
  summary: 'Deletes the consent of a user for a client, and revokes the client’s grants for that user.',
  done: 'Consent removed. The client will ask again.',
  api: { method: 'DELETE', path: '/users/{sub}/consents/{client_id}' },
  writes: ['remove_consents', 'revoke_grants'],
  kind: 'consent',
})

export const revokeClient = defineUseCase({
  name: 'grants.revoke_client',
  permission: 'grants:revoke_client',
  summary: 'Revokes every token of a client: those for users and those for the client itself.',
  done: 'Every token of this client is revoked. APIs that validate JWTs themselves accept them until they expire.',
  input: z.object({ client_id: clientIdSchema }),
  output,
  api: { method: 'POST', path: '/clients/{client_id}/revoke' },
  run: async (ports, { client_id: clientId }, call) => {
    const client = await ports.adminLists.client(clientId)
    const refusal = client === null ? null : await ownersOnly(ports, client, call)
    const selected = { id: clientId, selection: { clientId } }
    return refusal ?? revoke(ports, { writes: ['revoke_grants'], kind: 'client', ...selected }, call)
  },
})

export const revokeEverything = defineUseCase({
  name: 'grants.revoke_everything',
  permission: 'grants:revoke_all',
  isSensitive: true,
  summary: 'Revokes all sessions and all tokens of all users. `confirm` must be "everyone".',
  done: 'All users are signed out. You are signed out when you leave this page.',
  input: z.object({ confirm: z.literal('everyone', 'type "everyone" to confirm') }),
  output,
  api: { method: 'POST', path: '/revoke-everything' },
  run: (ports, _input, call) =>
    revoke(ports, { writes: everything, kind: 'grant', id: 'everyone', selection: {} }, call),
})

/** The use cases for sessions, grants and consents. */
export const grantUseCases: readonly UseCase[] = [
  listSessions,
  listGrants,
  listAccess,
  listConsents,
  exportAccess,
  endSession,
  endSessionsOfUser,
  revokeGrant,
  revokeAccess,
  removeConsent,
  revokeClient,
  revokeEverything,
]

function revoke(
  ports: AdminPorts,
  { writes, selection, kind, id }: Revoked & Selected,
  call: AdminCall,
): Promise<AdminResult<Record<string, never>>> {
  const revoked: readonly AdminWrite[] = writes.map(write => ({ kind: write, selection }))
  const audit = [call.entry({ kind, id, before: null, after: { ended: [...writes] } })]
  return commit(ports, { writes: revoked, audit }, { now: call.now, value: {} })
}
