/** A frozen server, or a network that swallows everything, ends no connection: requests would wait for ever (DB-01). */
import { Socket } from 'node:net'
import { constants } from 'node:os'
import { storage } from '#lib/config/limits.ts'

/**
 * Fails with ETIMEDOUT when nothing moves for `postgresSilenceMs`. NOTE: the driver's `query_timeout` would leave the
 * connection, and the transaction open on it, to whoever is next.
 */
export function socketWithTimeout(): Socket {
  const socket = new Socket()
  return socket.setTimeout(storage.postgresSilenceMs, () => socket.destroy(silence()))
}

function silence(): Error {
  const fields = { code: 'ETIMEDOUT', errno: -constants.errno.ETIMEDOUT, syscall: 'read' }
  return Object.assign(new Error('the database server is silent'), fields)
}
