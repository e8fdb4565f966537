/** The thread that signs while the main thread serves requests. Started by `signing-queue.ts`. */
import { parentPort } from 'node:worker_threads'
import { makeSignature, type SigningJob } from './signature.ts'

parentPort?.on('message', (jobs: readonly SigningJob[]) => {
  parentPort?.postMessage(jobs.map(signatureOrNull))
})
parentPort?.postMessage('ready')

/**
 * Returns `null` for a key that cannot make the signature. NOTE: an error loses its class and its own members when it
 * is sent to another thread.
 */
function signatureOrNull(job: SigningJob): string | null {
  try {
    return makeSignature(job)
  } catch {
    return null
  }
}
