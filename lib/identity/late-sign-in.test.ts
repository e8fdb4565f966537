import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { signIn } from './sign-in.ts'
import { form, openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

const old = 'an old anchor'
let names = 0

/** Signs a user in, and calls `change` during the sign-in. */
async function signInBeside(
  change: (username: string) => Promise<unknown>,
  interrupting: (ports: Ports, change: () => Promise<unknown>) => Partial<Ports>,
) {
  names += 1
  const username = `sailor-${names}`
  const { subject } = await setup.addUser(username, { password: old })
  const ports = { ...setup.ports, ...interrupting(setup.ports, () => change(username)) }
  const outcome = await signIn(ports, form({ username, password: old }), context)
  return { outcome, sessions: await setup.ports.sessions.allOf(subject, setup.ports.clock.now()) }
}

const changes = [
  ['another password', (username: string) => setup.addUser(username, { password: 'a new anchor' })],
  ['a locked account', (username: string) => setup.addUser(username, { password: old, enabled: false })],
] as const

const moments = [
  [
    'after the password was checked',
    ({ rateLimiter }: Ports, change: () => Promise<unknown>) => ({
      rateLimiter: {
        ...rateLimiter,
        begin: async (...given: Parameters<typeof rateLimiter.begin>) => {
          const attempt = await rateLimiter.begin(...given)
          if (attempt.kind === 'limited') return attempt
          const end: typeof attempt.end = async outcome => {
            await attempt.end(outcome)
            await change()
          }
          return { ...attempt, end }
        },
      },
    }),
  ],
  [
    'just before the session is written',
    ({ sessions }: Ports, change: () => Promise<unknown>) => ({
      sessions: {
        ...sessions,
        create: async (...given: Parameters<typeof sessions.create>) => {
          await change()
          return sessions.create(...given)
        },
      },
    }),
  ],
] as const

for (const [what, change] of changes) {
  for (const [when, interrupting] of moments) {
    test(`SE-06 RT-08 the sign-in fails when ${what}, ${when}`, async () => {
      const { outcome, sessions } = await signInBeside(change, interrupting)
      assert.equal(outcome.kind === 'refused' && outcome.why, 'credentials')
      assert.deepEqual(sessions, [])
    })
  }
}
