/**
 * Signs in batches: all signatures that were requested in one turn of the event loop are made at its end, which takes
 * less time than making each in the middle of its request. NOTE: on a busy server the signature is nearly half of the
 * work for a token, so a second thread makes it. A message to the thread pays off only for several signatures, and a
 * full batch is sent before the end of the turn: with one message per turn, one thread would wait for the other. RSA
 * takes a millisecond or more and uses Node's thread pool, where each signature can use a separate processor. With one
 * processor, the second thread and the pool would only add cost.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { makeSignature, makeSignatureOnPool, type SigningJob } from './signature.ts'

type Asked = PromiseWithResolvers<string> & { readonly job: SigningJob }

type Thread = {
  readonly isReady: () => boolean
  readonly sign: (batch: readonly Asked[]) => void
}

/** The smallest batch for the thread; fewer signatures are made on the serving thread. */
const several = 4
/** The size of a batch that is sent without waiting for the end of the turn. */
const full = 16

/** Creates the function that signs. It resolves to the encoded signature, and rejects when the key cannot make it. */
export function createSigningQueue({
  processors = availableParallelism(),
}: {
  readonly processors?: number | undefined
} = {}): (job: SigningJob) => Promise<string> {
  let asked: Asked[] = []
  let thread: Thread | null = null

  function signAsked(): void {
    const batch = asked
    asked = []
    const isWorthTheWay = batch.length >= several && processors > 1
    if (isWorthTheWay) thread ??= startThread()
    if (isWorthTheWay && thread?.isReady()) thread.sign(batch)
    else signHere(batch)
  }
  return job => {
    const isRsa = job.algorithm === 'RS256' || job.algorithm === 'PS256'
    if (isRsa && processors > 1) return makeSignatureOnPool(job)
    if (asked.length === 0) setImmediate(signAsked)
    const one = { job, ...Promise.withResolvers<string>() }
    asked.push(one)
    if (asked.length === full) signAsked()
    return one.promise
  }
}

function signHere(batch: readonly Asked[]): void {
  for (const { job, resolve, reject } of batch) {
    try {
      resolve(makeSignature(job))
    } catch (error) {
      reject(error)
    }
  }
}

/**
 * Starts the thread. If the system cannot, returns a thread that is never ready: the main thread then makes all
 * signatures.
 */
function startThread(): Thread {
  try {
    // The bundler recognizes this form and includes the file
    return listenTo(
      new Worker(new URL('./signing-thread.ts', import.meta.url), {
        // The options of this process may not suit the thread
        execArgv: [],
      }),
    )
  } catch (error) {
    warn(error)
    return { isReady: () => false, sign: signHere }
  }
}

/**
 * Exchanges messages with the thread, which answers in order. When the thread ends, its open requests and all later
 * ones are signed here.
 */
function listenTo(thread: Worker): Thread {
  const waiting: (readonly Asked[])[] = []
  let isReady = false
  let cause: unknown = null

  thread.on('message', (answer: 'ready' | readonly (string | null)[]) => {
    if (answer === 'ready') isReady = true
    else settle(waiting.shift() ?? [], answer)
    if (waiting.length === 0) thread.unref()
  })
  thread.on('error', error => {
    cause = error
  })
  thread.on('exit', code => {
    isReady = false
    warn(cause ?? `it left with code ${code}`)
    for (const batch of waiting.splice(0)) signHere(batch)
  })
  thread.unref()
  return {
    isReady: () => isReady,
    sign(batch) {
      if (waiting.length === 0) thread.ref()
      waiting.push(batch)
      thread.postMessage(batch.map(({ job }) => job))
    },
  }
}

/** Warns that the main thread makes all signatures until the server restarts, which takes longer. */
function warn(cause: unknown): void {
  process.emitWarning(`No thread signs tokens: ${cause}`)
}

/** Resolves the signatures. A signature that failed in the thread is repeated here, to throw the original error. */
function settle(batch: readonly Asked[], signatures: readonly (string | null)[]): void {
  for (const [index, one] of batch.entries()) {
    const signature = signatures[index] ?? null
    if (signature === null) signHere([one])
    else one.resolve(signature)
  }
}
