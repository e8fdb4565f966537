/** Asks a server with the demo's data what shows that it works, for the proofs of packages. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Waits until the server is ready. @throws if its process ends before. */
export async function untilReady(origin, server) {
  for (;;) {
    expect(server.exitCode === null && server.signalCode === null, 'the server ended before it was ready')
    const answer = await fetch(`${origin}/readyz`).catch(() => null)
    if (answer?.ok) return
    await wait(20)
  }
}

/** Waits until nothing answers. */
export async function untilGone(origin) {
  for (let answers = true; answers; await wait(20))
    answers = await fetch(`${origin}/healthz`).then(
      () => true,
      () => false,
    )
}

export async function proveToken(origin) {
  const answer = await fetch(`${origin}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'orders.read' }),
    headers: { authorization: `Basic ${Buffer.from('demo-machine:demo-machine-secret').toString('base64')}` },
  })
  expect(answer.status === 200, `the token endpoint answered ${answer.status}: ${await answer.text()}`)
}

/** The dashboard and the sign-in page are the two ways in which pages are rendered. */
export async function provePages(origin) {
  for (const path of ['/admin', '/playground', '/login', '/latchkey.css']) {
    const answer = await fetch(origin + path)
    const text = await answer.text()
    expect(answer.status < 500, `${path} answered ${answer.status}: ${text}`)
  }
}

export async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address()
  listener.close()
  return port
}

export function expect(isTrue, message) {
  if (!isTrue) throw new Error(message)
}
