import { clientSecret } from '../fixtures/configuration.ts'
import { machineToken } from '../fixtures/flow.ts'
import { basic } from '../fixtures/http-client.ts'
import { bombard } from './load-generator.ts'

type Form = Readonly<Record<string, string>>

export type Load = {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** What is sent, by turns. */
  readonly forms: (origin: string) => Promise<readonly Form[]>
}

const differentTokens = 100
const connections = 64
const grant = { grant_type: 'client_credentials', scope: 'api' }

export const loads: readonly Load[] = [
  {
    name: 'client_credentials, JWT',
    path: '/connect/token',
    headers: basic('machine', clientSecret),
    forms: async () => [grant],
  },
  {
    name: 'client_credentials, reference',
    path: '/connect/token',
    headers: basic('machine-reference', clientSecret),
    forms: async () => [grant],
  },
  {
    name: 'accesstokenvalidation, JWT',
    path: '/connect/accesstokenvalidation',
    headers: {},
    forms: tokens,
  },
]

/** One token after another: the first use of a client's secret costs a password hash, and those are limited. */
async function tokens(origin: string): Promise<readonly Form[]> {
  const forms: Form[] = []
  while (forms.length < differentTokens) forms.push({ token: await machineToken(origin) })
  return forms
}

export type Run = {
  readonly origin: string
  readonly load: Load
  readonly forms: readonly Form[]
  readonly seconds: number
}

/** Answers with 2xx per second. Any other answer spoils the figure, so it is an error. */
export async function measure({ origin, load, forms, seconds }: Run): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...load.headers }
  const posts = forms.map(form => ({ headers, body: new URLSearchParams(form).toString() }))
  const answers = await bombard({ url: new URL(load.path, origin), posts, connections, seconds })
  if (answers.refused > 0) {
    throw new Error(`${load.name}: ${answers.refused} refusals beside ${answers.good} good answers`)
  }
  return answers.good / answers.seconds
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
