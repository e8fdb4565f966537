/**
 * Signs at the end of each turn of the event loop what was asked for in it: one after the other they take less time than
 * each in the middle of its request. NOTE: on a busy server nearly half of the work for a token is its signature, so a
 * second processor makes it. The message pays off only for several signatures, and a full batch does not wait for the end
 * of the turn: with one message per turn, one thread would wait for the other. RSA takes a millisecond or more and goes to
 * Node's thread pool, where each signature can use a separate processor. With one processor both ways only cost time.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { makeSignature, makeSignatureOnPool, type SigningJob } from './signature.ts'

type Asked = PromiseWithResolvers<string> & { readonly job: SigningJob }

type Thread = {
  readonly isReady: () => boolean
  readonly sign: (batch: readonly Asked[]) => void
}

/** Fewer are computed on the serving thread. */
const several = 4
/** These wait for no others of the turn. */
const full = 16

/** Resolves to the encoded signature; rejects when the key cannot sign so. */
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

/** One that is never ready where the system gives none: everything is signed here then. */
function startThread(): Thread {
  try {
    // The bundler knows this form and brings the file along
    return listenTo(
      new Worker(new URL('./signing-thread.ts', import.meta.url), {
        // What the process was started with may fit no file
        execArgv: [],
      }),
    )
  } catch (error) {
    warn(error)
    return { isReady: () => false, sign: signHere }
  }
}

/** It answers in the order in which it is asked. When it ends, what it was asked is signed here, and all that follows. */
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

/** Until the next start tokens are fewer, and nothing else is wrong. */
function warn(cause: unknown): void {
  process.emitWarning(`No thread signs tokens: ${cause}`)
}

/** What the thread could not sign fails here, with the error as it is. */
function settle(batch: readonly Asked[], signatures: readonly (string | null)[]): void {
  for (const [index, one] of batch.entries()) {
    const signature = signatures[index] ?? null
    if (signature === null) signHere([one])
    else one.resolve(signature)
  }
}
