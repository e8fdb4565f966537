/** The app that the playground plays, and its addresses here. */
import type { Services } from '#lib/server/services.ts'

export type PlaygroundApp = {
  readonly clientId: string
  /** `null`: a public client. */
  readonly clientSecret: string | null
  readonly scopes: string
}

/** This secret is public: the demo exists only on loopback addresses. */
const demoApp: PlaygroundApp = {
  clientId: 'demo-web',
  clientSecret: 'demo-web-secret',
  scopes: 'openid profile email orders.read offline_access',
}

/** The demo's app, else a public client that registered our callback; `null` when there is neither. */
export async function playgroundApp({
  config,
  publicClientAt,
}: Pick<Services, 'config' | 'publicClientAt'>): Promise<PlaygroundApp | null> {
  if (config.demo) return demoApp
  const client = await publicClientAt(callbackAddress(config.issuer))
  return client && { clientId: client.clientId, clientSecret: null, scopes: client.scopes.join(' ') }
}

export function callbackAddress(issuer: string): string {
  return `${issuer}/playground/callback`
}

export function homeAddress(issuer: string): string {
  return `${issuer}/playground`
}
