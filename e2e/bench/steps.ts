/** Makes requests of a load, and sequences of them. */
import { generateLoad, type HttpResponse, type Operations, type Step } from './load-generator.ts'

const preparingConnections = 8

/** Checks a response, and throws if it is wrong. */
type Accept = (response: HttpResponse) => void
type Headers = Readonly<Record<string, string>>

export function get(target: string, headers: Headers, accept: Accept): Step {
  return step(`GET ${target}`, { headers, body: '', accept })
}

export function post(target: string, form: Headers, headers: Headers, accept: Accept): Step {
  const body = new URLSearchParams(form).toString()
  const ofForm = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
  }
  return step(`POST ${target}`, { headers: { ...ofForm, ...headers }, body, accept })
}

function step(request: string, given: { headers: Headers; body: string; accept: Accept }): Step {
  const lines = Object.entries(given.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return {
    request,
    rest: `${lines.join('')}\r\n${given.body}`,
    accept: response => {
      given.accept(response)
      return null
    },
  }
}

/** Adds a request that follows the first one in the same operation. */
export function followedBy(first: Step, next: (response: HttpResponse) => Step): Step {
  return {
    ...first,
    accept: response => {
      first.accept(response)
      return next(response)
    },
  }
}

/** The cookies that a response sets, as the value of a `cookie` header. */
export function cookiesSetBy({ head }: HttpResponse): string {
  return [...head.matchAll(/^set-cookie: *([^;\r\n]+)/gim)].map(([, pair]) => pair).join('; ')
}

/** The headers of a browser that opens a page. */
export function navigation(cookie: string): Readonly<Record<string, string>> {
  return {
    ...(cookie === '' ? {} : { cookie }),
    accept: 'text/html',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    'sec-fetch-site': 'none',
  }
}

/** Sends each request once, outside of the measured time. */
export async function complete(origin: string, steps: readonly Step[]): Promise<void> {
  await generateLoad({ origin, operations: once(steps), connections: preparingConnections })
}

/** Operations that send each request once. */
export function once(steps: readonly Step[]): Operations {
  let sent = 0
  return () => steps[sent++] ?? null
}

/** Operations that send the requests in turn, without an end. */
export function inTurn(steps: readonly Step[]): Operations {
  let sent = 0
  return () => steps[sent++ % steps.length] ?? null
}

/** The steps, repeated from the beginning until there are `count`. */
export function repeated(steps: readonly Step[], count: number): readonly Step[] {
  return Array.from({ length: count }, (_, index) => steps[index % steps.length]).filter(
    each => each !== undefined,
  )
}
