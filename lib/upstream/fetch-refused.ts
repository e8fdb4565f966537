/** An outbound request that was not made, or whose answer was not accepted. */

/** `code` is a fixed tag for logs: it contains nothing from the response. */
export class FetchRefused extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}
