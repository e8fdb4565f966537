/** `npm run walk -- 1000 [seed] [steps]`: runs random walks over the hosted pages, and prints what they found. */
import { freePort } from '../fixtures/server/free-port.ts'
import { startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'
import { runWalks, walkConfiguration, walkEnvironment } from '../fixtures/walks/walks.ts'

const [count = 1000, seed = Date.now() % 1_000_000, steps = 12] = process.argv.slice(2).map(Number)
const began = Date.now()
const server = await startLatchkey({
  port: await freePort(),
  configuration: walkConfiguration({ app }),
  environment: walkEnvironment,
  isQuiet: true,
})
console.log(`${count} walks of ${steps} steps from seed ${seed} at ${server.issuer}`)
const onWalk = (done: number, failed: number) => {
  const seconds = Math.round((Date.now() - began) / 1000)
  if (done % 100 === 0) console.log(`${done} walks, ${failed} failed, ${seconds} s`)
}
const { failures, pages } = await runWalks(server, { count, seed, steps, onWalk })
await server.stop()
for (const [page, seen] of [...pages].toSorted(([, one], [, two]) => two - one))
  console.log(`${seen}  ${page}`)
for (const failure of failures) console.error(failure)
console.log(`${failures.length} of ${count} walks failed`)
process.exitCode = failures.length === 0 ? 0 : 1
