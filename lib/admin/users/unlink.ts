/** Admins unlink identities at identity providers from users of this server's database. */
import { z } from 'zod'
import { providerSchemeSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { denied, notFound } from '../admin-result.ts'
import { commit, defineUseCase } from '../use-case.ts'
import { refusalToTouch, userView, userViewSchema } from './user-resource.ts'

export const unlinkIdentity = defineUseCase({
  name: 'users.unlink',
  permission: 'users:reset',
  isSensitive: true,
  summary:
    'Unlinks an identity at an identity provider from a user, who is informed by mail, and ends the sessions and grants that began with that provider. The user may be left without a way to sign in. Returns the user without the identity.',
  done: 'Identity unlinked.',
  input: z.object({
    sub: subjectIdSchema,
    scheme: providerSchemeSchema,
    issuer: z.string().max(2000),
    identity: z.string().max(1000).describe('The subject at the provider.'),
  }),
  output: userViewSchema,
  api: { method: 'POST', path: '/users/{sub}/unlink' },
  run: async (ports, { sub, scheme, issuer, identity }, call) => {
    // MF-04: in the account, the user must first prove a factor
    if (sub === call.actor.subject) return denied('Unlink your own identities under Your account.')
    const refusal = await refusalToTouch(ports, sub, call)
    if (refusal !== null) return refusal
    const user = await ports.adminLists.user(sub)
    const isNamed = (each: { readonly scheme: string; readonly issuer: string; readonly subject: string }) =>
      each.scheme === scheme && each.issuer === issuer && each.subject === identity
    if (user === null || !user.linked.some(isNamed)) return notFound
    const provider = (await ports.adminLists.providers()).find(each => each.scheme === scheme)
    const name = displayName(provider?.displayName ?? null, scheme)
    const notices = await ports.securityNotice(sub, 'provider_unlinked', { provider: name })
    const key = { scheme, issuer, subject: identity }
    // LG-07: the audit log is permanent, so the row has no name of the identity
    const audit = [call.entry({ kind: 'user', id: sub, before: { linked: scheme }, after: { linked: null } })]
    const value = userView({ ...user, linked: user.linked.filter(each => !isNamed(each)) })
    const writes = [{ kind: 'unlink', account: sub, key, notices } as const]
    return commit(ports, { writes, audit }, { now: call.now, value })
  },
})
