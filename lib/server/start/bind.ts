/** Opens the port, or says in one sentence why it cannot be opened. */
import { createServer, type Server } from 'node:net'
import { ConfigError } from '#lib/errors/config-error.ts'

type Address = { readonly host: string; readonly port: number }

/** Resolves when the server listens. Throws a ConfigError when the address or the port cannot be had. */
export async function bind(server: Server, { host, port }: Address): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    throw addressProblem(error, { host, port })
  })
}

/** Opens and closes the port, so that a taken one is known before anything slow happens. */
export async function proveAddress(address: Address): Promise<void> {
  const probe = createServer()
  await bind(probe, address)
  await new Promise(resolve => probe.close(resolve))
}

function addressProblem(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `PORT is "${port}", but something else is listening there; stop it, or set another PORT.`,
      )
    case 'EACCES':
      return new ConfigError(`PORT is "${port}", but this user may not open it; use one above 1023.`)
    case 'EADDRNOTAVAIL':
      return new ConfigError(
        `HOST is "${host}", but this machine has no such address; use 127.0.0.1 or 0.0.0.0.`,
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(
        `HOST is "${host}", but no address is known under that name; use an address, such as 127.0.0.1.`,
      )
    default:
      return error
  }
}
