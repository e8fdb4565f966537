/** What our own HTTP server tells the routes about a request. Under any other host these headers prove nothing. */

export const addressHeader = 'x-latchkey-address'
export const referenceHeader = 'x-latchkey-reference'

const mark = Symbol.for('latchkey.stamping-host')

/** Called once by the server that removes these headers from every request before it sets its own. */
export function declareStampingHost(): void {
  Reflect.set(globalThis, mark, true)
}

/** The stamped value; `null` when nobody trustworthy stamped it. */
export function stamped(request: Request, header: string): string | null {
  return Reflect.get(globalThis, mark) === true ? request.headers.get(header) : null
}
