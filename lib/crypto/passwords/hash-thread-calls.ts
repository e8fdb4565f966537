/** Calls the thread that computes hashes of other servers. It starts with the first such hash. */
import { Worker } from 'node:worker_threads'
import type { HashJob } from './hash-thread.ts'

type Thread = { readonly compute: (job: HashJob) => Promise<string> }

let started: Thread | null = null

/** Computes the key of a hash. Rejects if the thread ends; the next call starts a new one. */
export function computeInThread(job: HashJob): Promise<string> {
  started ??= startThread()
  return started.compute(job)
}

/** Starts the thread, which answers in order. It keeps the process alive only while it computes. */
function startThread(): Thread {
  const waiting: PromiseWithResolvers<string>[] = []
  // The bundler recognizes this form and includes the file. The options of this process may not suit the thread
  const thread = new Worker(new URL('./hash-thread.ts', import.meta.url), { execArgv: [] })
  let cause: unknown = null
  thread.on('message', (key: string) => {
    waiting.shift()?.resolve(key)
    if (waiting.length === 0) thread.unref()
  })
  thread.on('error', error => {
    cause = error
  })
  thread.on('exit', code => {
    started = null
    for (const { reject } of waiting.splice(0))
      reject(new Error(`The thread for hashes ended with code ${code}.`, { cause }))
  })
  thread.unref()
  return {
    compute(job) {
      const asked = Promise.withResolvers<string>()
      if (waiting.length === 0) thread.ref()
      waiting.push(asked)
      thread.postMessage(job)
      return asked.promise
    },
  }
}
