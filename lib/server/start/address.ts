/** The address and the port to listen on. */
import { createServer, type Server } from 'node:net'
import { ConfigError } from '#lib/errors/config-error.ts'

type Address = {
  readonly host: string
  readonly port: number
  /** The beginning of the names of the settings, for messages; empty by default. */
  readonly prefix?: string
}

/**
 * Starts listening.
 * @throws ConfigError when the address or the port is not available
 */
export async function bind(server: Server, address: Address): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    throw addressProblem(error, address)
  })
}

/**
 * Opens and closes the port, before anything slow or permanent is done. NOTE: without closing the sockets, a client
 * that connects in between would keep the port open and block the start.
 * @throws ConfigError when the address or the port is not available
 */
export async function proveAddress(address: Address): Promise<void> {
  const probe = createServer(socket => socket.destroy())
  await bind(probe, address)
  await new Promise(resolve => probe.close(resolve))
}

function addressProblem(error: NodeJS.ErrnoException, { host, port, prefix = '' }: Address): Error {
  const [portName, hostName] = [`${prefix}PORT`, `${prefix}HOST`]
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `${portName} is "${port}", but something else is listening there; stop it, or set another ${portName}.`,
      )
    case 'EACCES':
      return new ConfigError(`${portName} is "${port}", but this user may not open it; use one above 1023.`)
    case 'EADDRNOTAVAIL':
      return new ConfigError(
        `${hostName} is "${host}", but this machine has no such address; use 127.0.0.1 or 0.0.0.0.`,
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(
        `${hostName} is "${host}", but no address is known under that name; use an address, such as 127.0.0.1.`,
      )
    default:
      return error
  }
}
