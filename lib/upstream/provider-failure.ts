/** Whatever goes wrong with a provider, a person sees one sentence of ours; the log gets a tag. */
import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'

/** Runs a conversation; everything it throws becomes `provider_failed`. */
export async function asProviderFailure<T>(conversation: () => Promise<T>): Promise<T> {
  try {
    return await conversation()
  } catch (error) {
    throw isOauthError(error) ? error : new OauthError('provider_failed', reasonOf(error))
  }
}

/** A fixed word for the cause. Of what the provider wrote only a well-formed error code is kept. */
function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError) return `provider_answered:${errorCode(error.error)}`
  if (error instanceof ResponseBodyError) return `token_endpoint_answered:${errorCode(error.error)}`
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function errorCode(sent: string): string {
  return /^[a-z_]{1,64}$/.test(sent) ? sent : 'malformed'
}
