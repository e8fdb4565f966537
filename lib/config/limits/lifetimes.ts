/** The lifetimes of tokens, sessions and keys, and how long events are stored. */

export const lifetimeSeconds = {
  /** The time in which a user must sign in and answer. */
  pendingRequest: 3600,
  externalSignIn: 600,
  partialSignIn: 900,
  signOutRequest: 900,
  /** The time for which a browser is a known browser of the accounts that signed in with it. */
  knownBrowser: 31_536_000,
  /** The time for which a browser can skip the question for a second factor after its user trusted it. */
  trustedBrowser: 2_592_000,
  /** The time to set up an authenticator app, and that for which new recovery codes can be shown again in their browser. */
  authenticatorSetUp: 900,
  recoveryCodesShown: 600,
  /** The time for which a provider's discovery document is cached. */
  providerMetadata: 600,
  /** The absolute lifetime of sessions as in IdentityServer3: 10 hours, and 30 days when remembered. */
  session: 36_000,
  rememberedSession: 2_592_000,
  /** The idle timeout of a session that is not remembered: 2 hours. */
  sessionIdle: 7200,
  rememberedSessionIdle: 1_209_600,
  /** FAPI 2.0 Security Profile 5.3.2.1: at most 60 s. RFC 6749 4.1.2: at most 10 minutes. */
  authorizationCode: 60,
  maximumAuthorizationCode: 600,
  /** The lifetimes of tokens as in IdentityServer3. */
  identityToken: 300,
  accessToken: 3600,
  /** Access tokens from the front channel: at most 10 minutes. */
  frontChannelAccessToken: 600,
  absoluteRefreshToken: 2_592_000,
  slidingRefreshToken: 1_296_000,
  /** The time for which a verifier may cache the key set. */
  keySetCache: 300,
} as const

/**
 * The longest lifetimes that a client can have. CD-05 limits codes; the other limits prevent lifetimes of decades
 * through a typing error.
 */
export const longestLifetimeSeconds = {
  authorizationCode: lifetimeSeconds.maximumAuthorizationCode,
  identityToken: 86_400,
  accessToken: 2_592_000,
  refreshToken: 31_622_400,
  consent: 315_360_000,
} as const

/**
 * The time in which a repeated refresh token counts as a retry; afterwards it counts as theft. Not in RFC 9700 4.14.2:
 * see decision 037.
 */
export const refreshRetryWindowSeconds = 60
/**
 * The longest retry window of public clients that do not set `refresh_retry_window`. Their tokens work for anyone who has them
 * (RFC 9700 4.14): a thief who repeats each token within the window receives the same responses. It is long enough for
 * parallel requests and for an immediate retry.
 */
export const publicRefreshRetryWindowSeconds = 5
export const longestRefreshRetryWindowSeconds = 600
export const clockSkewSeconds = 60
/** The time for which a JWT in the format of IdentityServer3 is accepted before its start and after its expiry. */
export const identityServer3SkewSeconds = 300
/**
 * The time for which the revocation of tokens without a grant is stored. Afterwards all tokens that were issued before
 * the revocation have expired.
 */
export const revocationMarkSeconds =
  longestLifetimeSeconds.accessToken + identityServer3SkewSeconds + clockSkewSeconds
/** JW-10: a key is published long before it signs, and until its last token has expired. Rotation as in Duende. */
export const signingKeys = {
  rotationSeconds: 7_776_000,
  propagationSeconds: 1_209_600,
  /** A rotation by an admin waits twice the time for which verifiers can cache the key set. */
  promptPropagationSeconds: 2 * lifetimeSeconds.keySetCache,
  retentionSeconds: longestLifetimeSeconds.accessToken + lifetimeSeconds.keySetCache,
  /** The longest time until this node no longer uses a key that another node removed (KEY-03). */
  freshnessMs: 500,
  /** JW-08: at least 2048; new keys have 3072. */
  rsaBits: 3072,
} as const

/** LG-07: how long the database stores events. Changes by admins are stored permanently. */
export const retentionSeconds = {
  /** PCI DSS 10.5.1: three months must be available immediately. */
  events: 7_776_000,
  /**
   * Longer than a quarter: the previous quarter, with which the current one is compared, ends in the middle of a day,
   * and the later hours of that day are subtracted.
   */
  hourlyCounts: 8_640_000,
  /** Thirteen months, so that each can be compared with the same month of the year before. */
  dailyCounts: 34_560_000,
} as const

/** Client secrets that a private key signs for a provider. Apple accepts them for up to half a year. */
export const signedSecretSeconds = { lifetime: 3600, renewedAfter: 3000 } as const
