/**
 * `npm run bench:flood`: measures sign-ins and token requests during a flood of wrong passwords, on loopback. Each flood sends at
 * most 50 sign-ins a second for a limited time. No figure fails a test; refused requests with the right password or secret are
 * counted.
 */
import { pbkdf2Sync } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hashSync } from 'bcryptjs'
import { type HttpBrowser, newBrowser, readForm } from '../fixtures/requests/http-browser.ts'
import { basic, send } from '../fixtures/requests/http-client.ts'
import { alice, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startAsInstalled } from '../fixtures/server/latchkey.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { median } from './statistics.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    iterations: { type: 'string', default: '10000000' },
    cost: { type: 'string', default: '12' },
    only: { type: 'string', default: '' },
  },
})
const seconds = Math.min(60, Number(values.seconds))
const iterations = Number(values.iterations)
const [perSecond, mostInFlight, attackedUsers, slowUsers] = [50, 1000, 300, 24]
const slowPassword = 'a slow hash of another server'

type Flood = {
  readonly name: string
  readonly address: (attempt: number) => string
  readonly username: (attempt: number) => string
}

const tenAddresses = (attempt: number) => `198.51.100.${1 + (attempt % 10)}`
const oneSite = (attempt: number) => `2001:db8:1:${(attempt % 65_536).toString(16)}::1`
const invented = (attempt: number) => `invented-${attempt}`
const attacked = (attempt: number) => `attacked-${attempt % attackedUsers}`
const attackedWithBcrypt = (attempt: number) => `bcrypt-${attempt % attackedUsers}`
const newSite = (attempt: number) => `2001:db8:${(attempt % 65_536).toString(16)}::1`
const floods: readonly Flood[] = [
  { name: 'ten addresses, invented names', address: tenAddresses, username: invented },
  { name: 'one IPv6 /48, invented names', address: oneSite, username: invented },
  { name: 'ten addresses, slow imported hashes', address: tenAddresses, username: attacked },
  { name: 'one IPv6 /48, slow imported hashes', address: oneSite, username: attacked },
  { name: 'ten addresses, bcrypt', address: tenAddresses, username: attackedWithBcrypt },
  { name: 'a new IPv6 /48 each time, bcrypt', address: newSite, username: attackedWithBcrypt },
]

const userNames = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${name}-${number}`)

async function start(): Promise<Latchkey> {
  const port = await freePort()
  const { users, ...rest } = testConfiguration({ app: 'https://app.example.org' })
  const slow = [...userNames('attacked', attackedUsers), ...userNames('slow', slowUsers)]
  const withBcrypt = userNames('bcrypt', attackedUsers)
  const added = [...slow, ...withBcrypt].map(name => ({ username: name, sub: name }))
  const configuration = { ...rest, users: [...users, ...added] }
  const environment = { TRUST_PROXY: 'true' }
  const server = await startAsInstalled({ port, configuration, environment, isQuiet: true })
  await putHash(server, slow, slowHash())
  await putHash(server, withBcrypt, bcryptHash())
  return server
}

function putHash(server: Latchkey, users: readonly string[], passwordHash: string) {
  const where = { subject: { in: [...users] } }
  return onTablesOf(server, tables => tables.user.updateMany({ where, data: { passwordHash } }))
}

/** Returns a hash in the stored form, which has the characters of bcrypt's own salt and key. */
function bcryptHash(): string {
  const text = hashSync(slowPassword, Number(values.cost))
  const encoded = (characters: string) => withoutPadding(Buffer.from(characters))
  return `$bcrypt$c=${values.cost}$${encoded(text.slice(7, 29))}$${encoded(text.slice(29))}`
}

function slowHash(): string {
  const salt = Buffer.alloc(16, 1)
  const subkey = pbkdf2Sync(slowPassword, salt, iterations, 32, 'sha1')
  return `$pbkdf2-sha1$i=${iterations}$${withoutPadding(salt)}$${withoutPadding(subkey)}`
}

function withoutPadding(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

type Samples = { readonly milliseconds: number[]; refused: number }
const noSamples = (): Samples => ({ milliseconds: [], refused: 0 })

async function measure(samples: Samples, isRight: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now()
  const passed = await isRight().catch(() => false)
  if (passed) samples.milliseconds.push(performance.now() - startedAt)
  else samples.refused += 1
}

async function signIn(browser: HttpBrowser, who: { username: string; password: string }, address: string) {
  const headers = { 'x-forwarded-for': address }
  const page = await browser.get('/login', headers)
  return browser.post('/login', [...readForm(page.text).hidden, ...Object.entries(who)], headers)
}

let addresses = 0
function outsideAddress(): string {
  addresses += 1
  return `203.0.113.${1 + (addresses % 250)}`
}

let nextSlow = 0
function figuresOf(issuer: string, known: HttpBrowser) {
  const figures = {
    'right password, outside': noSamples(),
    'right password, known browser': noSamples(),
    'right password, slow hash': noSamples(),
    'token request': noSamples(),
  }
  const isSignedIn = async (answer: ReturnType<typeof signIn>) => (await answer).status === 303
  const fromOutside = () => signIn(newBrowser(issuer), alice, outsideAddress())
  const fromKnown = () => signIn(known, alice, tenAddresses(0))
  const slow = () => {
    const username = `slow-${nextSlow++}`
    return signIn(newBrowser(issuer), { username, password: slowPassword }, outsideAddress())
  }
  const token = async () => {
    const form = { grant_type: 'client_credentials', scope: 'api' }
    const headers = basic('machine', clientSecret)
    return (await send(issuer, '/connect/token', { form, headers })).status === 200
  }
  return {
    figures,
    /**
     * Measures the quick requests: two sign-ins, and five token requests. `slow` needs a different user each time, because the
     * sign-in replaces the slow hash.
     */
    round: () =>
      Promise.all([
        measure(figures['right password, outside'], () => isSignedIn(fromOutside())),
        measure(figures['right password, known browser'], () => isSignedIn(fromKnown())),
        (async () => {
          for (let count = 0; count < 5; count++) await measure(figures['token request'], token)
        })(),
      ]),
    slow: () => measure(figures['right password, slow hash'], () => isSignedIn(slow())),
  }
}

function startFlood(issuer: string, { address, username }: Flood) {
  const answers = new Map<number, number>()
  let [attempts, inFlight] = [0, 0]
  const timer = setInterval(async () => {
    if (inFlight >= mostInFlight) return
    const attempt = attempts++
    inFlight += 1
    const headers = { 'x-forwarded-for': address(attempt), origin: issuer, 'sec-fetch-site': 'same-origin' }
    const form = { username: username(attempt), password: 'wrong password' }
    const status = await send(issuer, '/login', { headers, form }).then(
      answer => answer.status,
      () => 0,
    )
    inFlight -= 1
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }, 1000 / perSecond)
  return { end: () => clearInterval(timer), answers, attempts: () => attempts }
}

async function run(issuer: string, flood: Flood | null): Promise<void> {
  const known = newBrowser(issuer)
  if ((await signIn(known, alice, outsideAddress())).status !== 303) throw new Error('alice cannot sign in')
  const { figures, round, slow } = figuresOf(issuer, known)
  const running = flood === null ? null : startFlood(issuer, flood)
  const endsAt = performance.now() + (flood === null ? 8 : seconds) * 1000
  const quick = (async () => {
    while (performance.now() < endsAt) {
      await round()
      await delay(200)
    }
  })()
  while (performance.now() < endsAt) {
    await slow()
    await delay(500)
  }
  await quick
  running?.end()
  console.log(`\n${flood?.name ?? 'no flood'}, machine load ${loadavg()[0]?.toFixed(1)}`)
  for (const [name, { milliseconds, refused }] of Object.entries(figures))
    console.log(
      `  ${name}: ${Math.round(median(milliseconds))} ms, ${milliseconds.length} times, ${refused} refused`,
    )
  if (running !== null)
    console.log(`  ${running.attempts()} wrong passwords:`, Object.fromEntries(running.answers))
}

for (const flood of [null, ...floods.filter(({ name }) => name.includes(values.only))]) {
  // Each flood uses a new server, which has no failed attempts yet
  const server = await start()
  nextSlow = 0
  try {
    await run(server.issuer, flood)
  } finally {
    await server.stop()
  }
}
