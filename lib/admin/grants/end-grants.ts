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
import { ownersOnly } from '../clients/owned-client.ts'
import { commit } from '../run-use-case.ts'
import { type AdminCall, defineUseCase } from '../use-case.ts'
import { refusalToTouch } from '../users/user-resource.ts'

const doneSchema = z.object({})

export const endSession = defineUseCase({
  name: 'grants.end_session',
  permission: 'grants:revoke',
  summary: 'Ends one browser session and what was granted in it, offline access aside.',
  done: 'Session ended.',
  input: z.object({ session_id: sessionIdSchema }),
  output: doneSchema,
  api: { method: 'DELETE', path: '/sessions/{session_id}' },
  run: async (ports, { session_id: sessionId }, call) => {
    const ending = {
      writes: ['end_sessions'],
      selection: { sessionId },
      target: ['session', sessionId],
    } as const
    const owner = await ports.adminLists.sessionOwner(sessionId)
    return (await refusalToEnd(ports, owner, call)) ?? end(ports, ending, call)
  },
})

export const endSessionsOfUser = defineUseCase({
  name: 'grants.end_sessions_of_user',
  permission: 'grants:revoke',
  summary: 'Signs a person out everywhere and revokes every token issued for them.',
  done: 'Signed out everywhere.',
  input: z.object({ sub: subjectIdSchema }),
  output: doneSchema,
  api: { method: 'POST', path: '/users/{sub}/sign-out' },
  run: async (ports, { sub: subject }, call) => {
    const ending = { writes: everything, selection: { subject }, target: ['user', subject] } as const
    return (await refusalToEnd(ports, subject, call)) ?? end(ports, ending, call)
  },
})

export const revokeGrant = defineUseCase({
  name: 'grants.revoke',
  permission: 'grants:revoke',
  summary: 'Revokes one grant with every token issued on it.',
  done: 'Access revoked.',
  input: z.object({ grant_id: grantIdSchema }),
  output: doneSchema,
  api: { method: 'DELETE', path: '/grants/{grant_id}' },
  run: async (ports, { grant_id: grantId }, call) => {
    const ending = { writes: ['revoke_grants'], selection: { grantId }, target: ['grant', grantId] } as const
    const grant = await ports.grants.find(grantId)
    return (await refusalToEnd(ports, grant?.subject ?? null, call)) ?? end(ports, ending, call)
  },
})

export const removeConsent = defineUseCase({
  name: 'grants.remove_consent',
  permission: 'grants:revoke',
  summary: 'Deletes the consent of a user for a client, and revokes the client’s grants for that user.',
  done: 'Consent removed. The app will ask again.',
  input: z.object({ sub: subjectIdSchema, client_id: clientIdSchema }),
  output: doneSchema,
  api: { method: 'DELETE', path: '/users/{sub}/consents/{client_id}' },
  run: async (ports, { sub: subject, client_id: clientId }, call) => {
    const target = ['consent', `${subject} ${clientId}`] as const
    const ending = { writes: withConsents, selection: { subject, clientId }, target }
    return (await refusalToEnd(ports, subject, call)) ?? end(ports, ending, call)
  },
})

export const revokeClient = defineUseCase({
  name: 'grants.revoke_client',
  permission: 'grants:revoke_client',
  summary: 'Revokes every token of a client, of all people and its own.',
  done: 'Every token of this client is revoked. An API that reads JWTs by itself learns it when they expire.',
  input: z.object({ client_id: clientIdSchema }),
  output: doneSchema,
  api: { method: 'POST', path: '/clients/{client_id}/revoke' },
  run: async (ports, { client_id: clientId }, call) => {
    const ending = {
      writes: ['revoke_grants'],
      selection: { clientId },
      target: ['client', clientId],
    } as const
    const client = await ports.adminLists.client(clientId)
    const refusal = client === null ? null : await ownersOnly(ports, client, call)
    return refusal ?? end(ports, ending, call)
  },
})

export const revokeEverything = defineUseCase({
  name: 'grants.revoke_everything',
  permission: 'grants:revoke_all',
  isSensitive: true,
  summary: 'Revokes everything of all users: all sessions and all tokens. `confirm` must be "everybody".',
  done: 'All users are signed out. So are you, when you leave this page.',
  input: z.object({ confirm: z.literal('everybody', 'type "everybody" to confirm') }),
  output: doneSchema,
  api: { method: 'POST', path: '/revoke-everything' },
  run: (ports, _input, call) =>
    end(ports, { writes: everything, selection: {}, target: ['grant', 'everybody'] }, call),
})

type Ending = 'end_sessions' | 'revoke_grants' | 'remove_consents'

const everything: readonly Ending[] = ['end_sessions', 'revoke_grants']
const withConsents: readonly Ending[] = ['remove_consents', 'revoke_grants']

/** AD-03: who could sign an owner out again and again would keep them from taking a role away. */
async function refusalToEnd(
  ports: AdminPorts,
  subject: SubjectId | null,
  call: AdminCall,
): Promise<AdminResult<never> | null> {
  const isOwn = subject === call.actor.subject
  return subject === null || isOwn ? null : refusalToTouch(ports, subject, call)
}

type End = {
  readonly writes: readonly Ending[]
  readonly selection: EndSelection
  readonly target: readonly [kind: AuditEntry['targetKind'], id: string]
}

async function end(
  ports: AdminPorts,
  { writes, selection, target: [kind, id] }: End,
  call: AdminCall,
): Promise<AdminResult<Record<string, never>>> {
  const ended: readonly AdminWrite[] = writes.map(write => ({ kind: write, selection }))
  const audit = [call.entry({ kind, id, before: null, after: { ended: [...writes] } })]
  return commit(ports, { writes: ended, audit }, { now: call.now, value: {} })
}
