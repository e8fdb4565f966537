/** A frozen server, or a network that drops every packet, does not end a connection: requests would never end (DB-01). */
import { Socket } from 'node:net'
import { constants } from 'node:os'
import { storage } from '#lib/config/limits.ts'

/**
 * Fails with ETIMEDOUT when no data moves for `postgresSilenceMs`. NOTE: the driver's `query_timeout` would return the
 * connection to the pool with its transaction open.
 */
export function socketWithTimeout(): Socket {
  const socket = new Socket()
  return socket.setTimeout(storage.postgresSilenceMs, () => socket.destroy(silence()))
}

function silence(): Error {
  const fields = { code: 'ETIMEDOUT', errno: -constants.errno.ETIMEDOUT, syscall: 'read' }
  return Object.assign(new Error('the database server is silent'), fields)
}
