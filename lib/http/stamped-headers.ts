/** Headers with which this HTTP server passes facts to the routes. Under any other host they prove nothing. */

export const addressHeader = 'x-latchkey-address'
export const referenceHeader = 'x-latchkey-reference'

const mark = Symbol.for('latchkey.stamping-host')

/** Called once by the server that removes these headers from every request before it sets its own. */
export function declareStampingHost(): void {
  Reflect.set(globalThis, mark, true)
}

/** Whether that server is the one that answers in this process. */
export function hasStampingHost(): boolean {
  return Reflect.get(globalThis, mark) === true
}

/** The stamped value; `null` if this HTTP server did not stamp it. */
export function stamped(request: { readonly headers: Pick<Headers, 'get'> }, header: string): string | null {
  return hasStampingHost() ? request.headers.get(header) : null
}
