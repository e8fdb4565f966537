/**
 * `npm run bench:recovery`: measures by turns how long requests for a mail, wrong codes and registrations take for known and unknown
 * names or addresses (AU-05). No figure fails a test: read whether the medians differ by less than the quartiles.
 */
import { parseArgs } from 'node:util'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { startAsInstalled } from '../fixtures/server/latchkey.ts'
import { quantile } from './statistics.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '600' } } })
/** An account gets at most three mails in half an hour. */
const mailsEach = 3
const warmUp = 20
const rounds = Math.min(Number(values.rounds), 3000)
const known = Array.from({ length: Math.ceil((rounds + warmUp) / mailsEach) }, (_, index) => `user-${index}`)

const server = await startAsInstalled({
  port: await freePort(),
  configuration: {
    ...testConfiguration({ app: 'https://app.example.org' }),
    policies: { registration: 'open' },
    users: known.map(username => ({
      ...{ username, sub: username, password: 'a harbor in the morning' },
      claims: { email: `${username}@example.org`, email_verified: true },
    })),
  },
  environment: { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' },
})

const titles = { asked: 'A request for a mail:', code: 'A wrong code:', register: 'A registration:' } as const
type Step = keyof typeof titles
const steps = ['asked', 'code', 'register'] as const satisfies readonly Step[]
type Times = Readonly<Record<Step, number[]>>
const times = { known: empty(), unknown: empty() }
try {
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const kinds = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of kinds) {
      const seen = await measure(nameFor(kind, round), round)
      if (round < warmUp) continue
      for (const step of steps) times[kind][step].push(seen[step])
    }
  }
} finally {
  await server.stop()
}
for (const step of steps) {
  console.log(titles[step])
  for (const kind of ['known', 'unknown'] as const)
    console.log(`  ${kind.padEnd(8)} ${figuresOf(times[kind][step])}`)
}

function empty(): Times {
  return { asked: [], code: [], register: [] }
}

function nameFor(kind: 'known' | 'unknown', round: number): string {
  return kind === 'known'
    ? (known[Math.floor(round / mailsEach)] ?? '')
    : `none-${Math.floor(round / mailsEach)}`
}

/** Sends the requests from a different address each time, so that the limit of one address is not reached. */
async function measure(username: string, round: number): Promise<Readonly<Record<Step, number>>> {
  const address = `198.51.${100 + Math.floor(round / 250)}.${1 + (round % 250)}`
  const browser = newBrowser(server.issuer, { 'x-forwarded-for': address })
  const [asked, answer] = await timed(() => browser.post('/login/forgot', { username }))
  const page = new URL(answer.headers.location ?? '', server.issuer).searchParams.get('page') ?? ''
  const [code] = await timed(() => browser.post('/login/forgot/sent', { page, code: '2345-6789' }))
  const [register, registered] = await timed(() =>
    browser.post('/login/register', registrationOf(username, round)),
  )
  if (!registered.headers.location?.startsWith('/login/register/sent'))
    throw new Error(`A registration was answered with ${registered.status} ${registered.headers.location}`)
  return { asked, code, register }
}

/** The form of a new user with an address that a user has, or that none has. */
function registrationOf(name: string, round: number): Readonly<Record<string, string>> {
  const password = 'a lighthouse by the evening'
  return { email: `${name}@example.org`, username: `new-${name}-${round}`, password, again: password }
}

async function timed<T>(run: () => Promise<T>): Promise<readonly [number, T]> {
  const begun = performance.now()
  const result = await run()
  return [performance.now() - begun, result]
}

function figuresOf(figures: readonly number[]): string {
  const at = (share: number) => quantile(figures, share).toFixed(2)
  return `median ${at(0.5)} ms, quartiles ${at(0.25)} to ${at(0.75)} ms, ${figures.length} requests`
}
