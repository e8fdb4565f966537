/** Measures the bare speed of a signature or verification, in a separate process on the processor of the servers. */
import { type ChildProcess, fork } from 'node:child_process'
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { once } from 'node:events'

/** The cryptographic operation that answering a request requires. */
export type Limit = 'sign RS256' | 'verify ES256'

type Order = { readonly limit: Limit; readonly seconds: number }

/** The size of the signed data, about the size of a token without its signature. */
const bytes = 400

/** Starts the process that measures. It inherits the processors of the caller, which must be those of the servers. */
export function startLimits(): ChildProcess {
  return fork(import.meta.filename, ['--measure'])
}

/** Measures an operation in operations per second of processor time. */
export async function measureLimit(child: ChildProcess, order: Order): Promise<number> {
  child.send(order)
  const [figure] = await once(child, 'message')
  return Number(figure)
}

function measure({ limit, seconds }: Order): number {
  const work = limit === 'sign RS256' ? signing() : verifying()
  const until = performance.now() + seconds * 1000
  const before = process.cpuUsage()
  let count = 0
  while (performance.now() < until) {
    work()
    count += 1
  }
  const { user, system } = process.cpuUsage(before)
  return count / ((user + system) / 1e6)
}

function signing(): () => void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const data = randomBytes(bytes)
  return () => sign('sha256', data, privateKey)
}

function verifying(): () => void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const data = randomBytes(bytes)
  const signature = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return () => verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
}

if (process.argv.includes('--measure')) {
  process.on('message', (order: Order) => process.send?.(measure(order)))
}
