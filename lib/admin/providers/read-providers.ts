/** The list of providers, one provider, and a preview of the metadata of an issuer. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import { ok } from '../admin-result.ts'
import { readUseCase } from '../resource/resource.ts'
import { defineUseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'
import { providers, providerView, providerViewSchema } from './provider-resource.ts'

const countedSchema = z.object({ count: z.number(), is_more: z.boolean() })

const usageSchema = z.object({
  /** The number of users who are linked to this provider, by a sign-in or an import. */
  users: countedSchema,
  /** The first clients whose own list names the provider. Clients without a list allow every provider. */
  clients: z.array(z.object({ client_id: z.string(), name: z.string() })),
  is_more: z.boolean(),
})

export const listProviders = defineUseCase({
  name: 'providers.list',
  permission: 'providers:read',
  summary: 'Lists all identity providers, in registration order.',
  input: z.object({}),
  output: z.object({ items: z.array(providerViewSchema.extend({ users: countedSchema })) }),
  api: { method: 'GET', path: '/providers' },
  run: async ports => {
    const items = (await ports.adminLists.providers()).map(async stored => {
      const { count, isMore } = await ports.adminLists.linkedUsers(stored.scheme)
      return { ...providerView(ports, stored), users: { count, is_more: isMore } }
    })
    return ok({ items: await Promise.all(items) })
  },
})

export const readProvider = readUseCase(providers, {
  summary: 'Reads one identity provider, without its secret, and the users and clients that rely on it.',
  output: providerViewSchema.extend({ usage: usageSchema }),
  answer: async (ports, stored) => {
    const [{ count, isMore }, listing] = await Promise.all([
      ports.adminLists.linkedUsers(stored.scheme),
      ports.adminLists.clientsWith({ provider: stored.scheme }, adminList.namedUsers + 1),
    ])
    const clients = listing
      .slice(0, adminList.namedUsers)
      .map(client => ({ client_id: client.clientId, name: client.name }))
    const usage = {
      users: { count, is_more: isMore },
      clients,
      is_more: listing.length > adminList.namedUsers,
    }
    return { ...providerView(ports, stored), usage }
  },
})

const wordsSchema = z.array(z.string()).nullable()

const foundSchema = z.object({
  kind: z.literal('found'),
  issuer: z.string(),
  endpoints: z.object({
    authorization: z.string().nullable(),
    token: z.string().nullable(),
    userinfo: z.string().nullable(),
    jwks: z.string().nullable(),
  }),
  scopes: wordsSchema,
  claims: wordsSchema,
  signing_algorithms: wordsSchema,
  client_authentication: wordsSchema,
  problems: z.array(z.object({ sentence: z.string(), is_fatal: z.boolean() })),
})

export const previewProvider = defineUseCase({
  name: 'providers.preview',
  permission: 'providers:create',
  summary: 'Asks an issuer for its metadata and lists what would prevent sign-ins there.',
  changesNothing: true,
  input: z.object({ issuer: z.string().min(1).max(2000) }),
  output: z.discriminatedUnion('kind', [
    foundSchema,
    z.object({ kind: z.literal('failed'), sentence: z.string(), named_issuer: z.string().nullable() }),
  ]),
  api: { method: 'POST', path: '/provider-previews' },
  run: async (ports, { issuer }) => {
    const preview = await ports.upstream.preview(issuerIn(issuer))
    if (preview.kind === 'failed')
      return ok({ kind: 'failed', sentence: preview.sentence, named_issuer: preview.namedIssuer } as const)
    const problems = preview.problems.map(({ sentence, isFatal }) => ({ sentence, is_fatal: isFatal }))
    return ok(viewOf(foundSchema, preview, { problems }))
  },
})

/** The issuer in a pasted text, which may also be the URL of the metadata. */
function issuerIn(pasted: string): string {
  return pasted.trim().replace(/\/\.well-known\/openid-configuration$/, '')
}
