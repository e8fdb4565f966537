/** The two scope names with a meaning of their own. */
import { scopeNameSchema } from './ids.ts'

/** Makes a request one of OpenID Connect (Core 3.1.2.1). */
export const openidScope = scopeNameSchema.parse('openid')

/** Asks for a refresh token (Core 11). Works whether or not it is registered as a scope. */
export const offlineScope = scopeNameSchema.parse('offline_access')
