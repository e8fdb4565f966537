/** The parts of a request, and the times of the HTTP server. */

/** The longest value of a parameter that has no length in `parameterRules`, in characters. */
export const unknownParameterLength = 8192

/** LIM-04: the deepest nesting of JSON. Recursive functions read such values, and the stack is limited. */
export const jsonDepth = 64
export const bodyBytes = { form: 65_536, token: 131_072, admin: 4_194_304 } as const
/** The longest name of a client. CN-09: consent pages show it. */
export const clientNameCharacters = 200
/** The longest query: `requestHead.addressCharacters` without the longest path. */
export const queryCharacters = 28_672
/** The maximum number of parameters of a query or a form, including empty ones. */
export const mostParameters = 200
/** The longest query of validation by GET: RFC 9110 4.1 recommends at least 8,000. */
export const validationQueryCharacters = 8_192

export const server = {
  requestTimeoutMs: 15_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 65_000,
  /**
   * SHUT-02: the time for which a stopping server still accepts requests. Behind a proxy it is `proxyNoticeMs`, because
   * proxies read `/readyz` every few seconds; otherwise `noticeMs`, so that open connections get `connection: close`.
   */
  proxyNoticeMs: 5000,
  noticeMs: 250,
  drainDeadlineMs: 10_000,
  /** A signal that arrives later than this after the first one ends the process immediately. */
  secondSignalMs: 500,
  /** The time for which a refused connection can continue to send before it is closed. */
  lingerMs: 2000,
  /** The log has one line in this time for all connections that were closed because there were too many. */
  reportDroppedMs: 60_000,
  /** The number of further bytes of a refused body that are read within `lingerMs`. */
  lingerBytes: 16_777_216,
  /**
   * The longest address in a redirect: nginx accepts 4 or 8 kB for the head of a response by default
   * (`proxy_buffer_size`), Apache 8 kB.
   */
  locationCharacters: 6144,
  /** The size of request line and headers together. */
  maxHeaderBytes: 65_536,
} as const

/** Limits that are checked before any other code handles a request, whatever its path. */
export const requestHead = {
  /**
   * The longest URL of a request, without scheme and host. RFC 9110 4.1 recommends at least 8,000. The longest ID token
   * with the claims of a user, which can be in it as `id_token_hint`, has 15,000.
   */
  addressCharacters: 32_768,
  /** PATH_MAX of Linux. The longest path of this server names a user whose ID is percent-encoded: 2,300. */
  pathCharacters: 4096,
  /** The number of headers, as in Apache (`LimitRequestFields`). */
  headers: 100,
  /**
   * The length of a header, as in Apache (`LimitRequestFieldSize`) and nginx, except for `Authorization` and `Cookie`.
   */
  headerCharacters: 8190,
  /**
   * SE-08: this server's cookies need less than 3,000; above these limits the browser is asked to delete its cookies.
   */
  cookieCharacters: 16_384,
  /** Browsers store at most 180 cookies of one domain. RFC 6265 6.1 recommends at least 50. */
  cookies: 200,
} as const

/**
 * Additional fields of the sign-in form. `most`: the number of fields. `keptBytes`: the maximum size of the values that
 * a failed attempt stores in its cookie; larger values are not stored. Browsers accept 4096 bytes for the whole cookie
 * (RFC 6265 6.1).
 */
export const signInFields = { most: 5, characters: 255, labelCharacters: 100, keptBytes: 600 } as const

export const claimLimits = { most: 100, userBytes: 6144, clientBytes: 3072 } as const
/** The number of secrets of one client or API, the length of their names, and how long a rotated secret can stay valid. */
export const secretList = { most: 10, longestName: 100, longestOverlapHours: 720 } as const
