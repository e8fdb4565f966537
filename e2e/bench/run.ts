/** `npm run bench`: the token endpoints through our own server and through `next start`, by turns, on separate SQLite files. */
import { cpus } from 'node:os'
import { testConfiguration } from '../fixtures/configuration.ts'
import { machineToken } from '../fixtures/flow.ts'
import { freePort } from '../fixtures/free-port.ts'
import { startLatchkey, startUnderNext } from '../fixtures/latchkey.ts'
import { type Load, loads, measure, median } from './measure.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const secondsEach = Number(process.env.BENCH_SECONDS ?? 5)
const target = 5
const configuration = testConfiguration({ app: 'https://app.example.org' })

const direct = await startLatchkey({
  port: await freePort(),
  configuration,
  environment: { LOG_LEVEL: 'silent' },
})
const next = await startUnderNext({
  port: await freePort(),
  configuration,
  environment: { LOG_LEVEL: 'silent' },
})
try {
  await compare()
} finally {
  await Promise.all([direct.stop(), next.stop()])
}

async function compare(): Promise<void> {
  console.log(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores; Node ${process.versions.node}; SQLite`,
  )
  console.log(
    `${rounds} rounds of ${secondsEach} s each, by turns; server and load share the machine; requests per second, median`,
  )
  let isMet = true
  for (const load of loads) {
    const figures: Record<'direct' | 'next', number[]> = { direct: [], next: [] }
    for (let round = 0; round < rounds; round++) {
      figures.direct.push(await once(direct.origin, load))
      figures.next.push(await once(next.origin, load))
    }
    const [own, framework] = [median(figures.direct), median(figures.next)]
    isMet &&= own >= target * framework
    console.log(
      `${load.name.padEnd(32)} npm start ${column(own)}   next start ${column(framework)}   ratio ${(own / framework).toFixed(1)}×`,
    )
  }
  console.log(`every ratio is at least ${target}×: ${isMet ? 'yes' : 'no'}`)
  process.exitCode = isMet ? 0 : 1
}

async function once(origin: string, load: Load): Promise<number> {
  const token = await machineToken(origin)
  return measure({ origin, load, token, seconds: secondsEach })
}

function column(figure: number): string {
  return Math.round(figure).toLocaleString('en').padStart(7)
}
