/** The playground shows tokens, so it exists only with a loopback issuer. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Services } from '#lib/server/services.ts'
import { type PlaygroundApp, playgroundApp } from './playground-app.ts'

/** @throws OauthError `not_found` everywhere else, and where there is no app to play */
export async function requirePlayground(services: Services): Promise<PlaygroundApp> {
  if (!services.config.isLoopback) throw new OauthError('playground_not_loopback')
  const app = await playgroundApp(services)
  if (app === null) throw new OauthError('playground_without_client')
  return app
}
