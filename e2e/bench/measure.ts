import autocannon from 'autocannon'
import { clientSecret } from '../fixtures/configuration.ts'
import { basic } from '../fixtures/http-client.ts'

export type Load = {
  readonly name: string
  readonly path: string
  readonly form: (token: string) => Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

const grant = { grant_type: 'client_credentials', scope: 'api' }

export const loads: readonly Load[] = [
  {
    name: 'client_credentials, JWT',
    path: '/connect/token',
    form: () => grant,
    headers: basic('machine', clientSecret),
  },
  {
    name: 'client_credentials, reference',
    path: '/connect/token',
    form: () => grant,
    headers: basic('machine-reference', clientSecret),
  },
  {
    name: 'accesstokenvalidation, JWT',
    path: '/connect/accesstokenvalidation',
    form: token => ({ token }),
    headers: {},
  },
]

type Run = { readonly origin: string; readonly load: Load; readonly token: string; readonly seconds: number }

/** Answers with 2xx per second. Any other answer spoils the figure, so it is an error. */
export async function measure({ origin, load, token, seconds }: Run): Promise<number> {
  const result = await autocannon({
    url: origin + load.path,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...load.headers },
    body: new URLSearchParams(load.form(token)).toString(),
    connections: 32,
    duration: seconds,
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${load.name}: ${result.non2xx} refusals and ${result.errors} errors among ${result.requests.total} answers`,
    )
  }
  return result.requests.total / result.duration
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
