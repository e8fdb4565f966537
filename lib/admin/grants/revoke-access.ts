/** Revokes sessions, grants and consents. */
import { z } from 'zod'
import type { AdminWrite, AuditEntry, EndSelection } from '#lib/ports/admin-store.ts'
import {
  clientIdSchema,
  grantIdSchema,
  type SubjectId,
  sessionIdSchema,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { AdminResult } from '../admin-result.ts'
import { ownersOnly } from '../clients/client-resource.ts'
import { type AdminCall, commit, defineUseCase, type UseCase } from '../use-case.ts'
import { refusalToTouch } from '../users/user-resource.ts'
import { exportAccess, listAccess, listConsents, listGrants, listSessions } from './read-access.ts'

const output = z.object({})
const permission = 'grants:revoke'

export const endSession = defineUseCase({
  name: 'grants.end_session',
  permission,
  summary: 'Ends one browser session and the grants given in it, except those with offline access.',
  done: 'Session ended.',
  input: z.object({ session_id: sessionIdSchema }),
  output,
  api: { method: 'DELETE', path: '/sessions/{session_id}' },
  run: async (ports, { session_id: sessionId }, call) => {
    const owner = await ports.adminLists.sessionOwner(sessionId)
    const target = ['session', sessionId] as const
    return revokeOfUser(ports, owner, { writes: ['end_sessions'], selection: { sessionId }, target }, call)
  },
})

export const endSessionsOfUser = defineUseCase({
  name: 'grants.end_sessions_of_user',
  permission,
  summary: 'Signs a user out everywhere and revokes every token issued for the user.',
  done: 'Signed out everywhere.',
  input: z.object({ sub: subjectIdSchema }),
  output,
  api: { method: 'POST', path: '/users/{sub}/sign-out' },
  run: (ports, { sub: subject }, call) => {
    const target = ['user', subject] as const
    return revokeOfUser(ports, subject, { writes: everything, selection: { subject }, target }, call)
  },
})

export const revokeGrant = defineUseCase({
  name: 'grants.revoke',
  permission,
  summary: 'Revokes one grant with every token issued on it.',
  done: 'Access revoked.',
  input: z.object({ grant_id: grantIdSchema }),
  output,
  api: { method: 'DELETE', path: '/grants/{grant_id}' },
  run: async (ports, { grant_id: grantId }, call) => {
    const grant = await ports.grants.find(grantId)
    const target = ['grant', grantId] as const
    const revocation = { writes: ['revoke_grants'], selection: { grantId }, target } as const
    return revokeOfUser(ports, grant?.subject ?? null, revocation, call)
  },
})

const userAndClient = z.object({ sub: subjectIdSchema, client_id: clientIdSchema })

export const revokeAccess = defineUseCase({
  name: 'grants.revoke_access',
  permission,
  summary: 'Revokes every grant of a user for a client with its tokens. A remembered consent stays.',
  done: 'Access revoked.',
  input: userAndClient,
  output,
  api: { method: 'DELETE', path: '/users/{sub}/access/{client_id}' },
  run: (ports, { sub: subject, client_id: clientId }, call) => {
    const target = ['grant', `${subject} ${clientId}`] as const
    const revocation = { writes: ['revoke_grants'], selection: { subject, clientId }, target } as const
    return revokeOfUser(ports, subject, revocation, call)
  },
})

export const removeConsent = defineUseCase({
  name: 'grants.remove_consent',
  permission,
  summary: 'Deletes the consent of a user for a client, and revokes the client’s grants for that user.',
  done: 'Consent removed. The client will ask again.',
  input: userAndClient,
  output,
  api: { method: 'DELETE', path: '/users/{sub}/consents/{client_id}' },
  run: (ports, { sub: subject, client_id: clientId }, call) => {
    const target = ['consent', `${subject} ${clientId}`] as const
    const revocation = { writes: withConsents, selection: { subject, clientId }, target }
    return revokeOfUser(ports, subject, revocation, call)
  },
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
    const target = ['client', clientId] as const
    return refusal ?? revoke(ports, { writes: ['revoke_grants'], selection: { clientId }, target }, call)
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
    revoke(ports, { writes: everything, selection: {}, target: ['grant', 'everyone'] }, call),
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

type RevocationWrite = 'end_sessions' | 'revoke_grants' | 'remove_consents'

const everything: readonly RevocationWrite[] = ['end_sessions', 'revoke_grants']
const withConsents: readonly RevocationWrite[] = ['remove_consents', 'revoke_grants']

type Revocation = {
  readonly writes: readonly RevocationWrite[]
  readonly selection: EndSelection
  readonly target: readonly [kind: AuditEntry['targetKind'], id: string]
}

/** AD-03: other roles could sign an owner out repeatedly to prevent the owner from removing their role. */
async function revokeOfUser(
  ports: AdminPorts,
  subject: SubjectId | null,
  revocation: Revocation,
  call: AdminCall,
): Promise<AdminResult<Record<string, never>>> {
  const isOwn = subject === call.actor.subject
  const refusal = subject === null || isOwn ? null : await refusalToTouch(ports, subject, call)
  return refusal ?? revoke(ports, revocation, call)
}

function revoke(
  ports: AdminPorts,
  { writes, selection, target: [kind, id] }: Revocation,
  call: AdminCall,
): Promise<AdminResult<Record<string, never>>> {
  const revoked: readonly AdminWrite[] = writes.map(write => ({ kind: write, selection }))
  const audit = [call.entry({ kind, id, before: null, after: { ended: [...writes] } })]
  return commit(ports, { writes: revoked, audit }, { now: call.now, value: {} })
}
