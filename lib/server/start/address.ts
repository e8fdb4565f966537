/** Listens at an address and a port, or at a Unix socket. */
import { chmod, lstat, rm } from 'node:fs/promises'
import { connect, createServer, type ListenOptions, type Server } from 'node:net'
import { dirname } from 'node:path'
import type { ListenAddress } from '#lib/config/listen-address.ts'
import { ConfigError } from '#lib/errors/config-error.ts'

/** The mode of the socket: the account of the server and its group can connect. */
const socketMode = 0o660

/**
 * Starts listening.
 * @throws ConfigError when the address, the port or the socket is not available
 */
export async function bind(server: Server, address: ListenAddress): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(optionsOf(address), resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    throw addressProblem(error, address)
  })
  // The umask of the server lets no other account connect until then
  if ('file' in address) await chmod(address.file, socketMode)
}

function optionsOf(address: ListenAddress): ListenOptions {
  if ('file' in address) return { path: address.file }
  return { host: address.host, port: address.port, ipv6Only: address.isIpv6Only ?? false }
}

/**
 * Opens and closes the addresses at the same time, before anything slow or permanent is done. Removes a socket of a
 * server that has ended without removing it. NOTE: without closing the connections, a client that connects in between
 * would keep the port open and block the start.
 * @throws ConfigError when an address, the port or the socket is not available
 */
export async function proveAddresses(addresses: readonly ListenAddress[]): Promise<void> {
  const probes: Server[] = []
  try {
    for (const address of addresses) {
      if ('file' in address) await removeUnusedSocket(address.file)
      const probe = createServer(socket => socket.destroy())
      await bind(probe, address)
      probes.push(probe)
    }
  } finally {
    await Promise.all(probes.map(probe => new Promise(resolve => probe.close(resolve))))
  }
}

/** @throws ConfigError if a server listens at the socket, or the file is not a socket */
async function removeUnusedSocket(file: string): Promise<void> {
  const found = await lstat(file).catch(() => null)
  if (found === null) return
  if (!found.isSocket())
    throw new ConfigError(
      `PORT is "unix:${file}", but that is not a socket; remove it, or name another path.`,
    )
  if (await answers(file)) throw new ConfigError(inUse(`unix:${file}`, 'PORT'))
  await rm(file)
}

function answers(file: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(file, () => resolve(true)).once('error', (error: NodeJS.ErrnoException) =>
      // Another error, such as a full queue, means that a server exists
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    )
    socket.once('connect', () => socket.destroy())
  })
}

function inUse(port: string | number, name: string): string {
  return `${name} is "${port}", but something else is listening there; stop it, or set another ${name}.`
}

function addressProblem(error: NodeJS.ErrnoException, address: ListenAddress): Error {
  if ('file' in address) return socketProblem(error, address.file)
  const { host, port, prefix = '' } = address
  const [portName, hostName] = [`${prefix}PORT`, `${prefix}HOST`]
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(inUse(port, portName))
    case 'EACCES':
      return new ConfigError(`${portName} is "${port}", but this user may not open it; use one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
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

function socketProblem(error: NodeJS.ErrnoException, file: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(inUse(`unix:${file}`, 'PORT'))
    case 'EACCES':
    case 'ENOENT':
    case 'EROFS':
      return new ConfigError(
        `PORT is "unix:${file}", but this user cannot create a socket in ${dirname(file)} (${error.code}); name a folder that exists and that this user may write to.`,
      )
    default:
      return error
  }
}
