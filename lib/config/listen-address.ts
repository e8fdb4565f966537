/** The addresses at which the server listens: `HOST` with `PORT`, or a Unix socket. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'

/** An address and a port of TCP. */
export type TcpAddress = {
  readonly host: string
  readonly port: number
  /** Whether an IPv6 address does not accept IPv4; `false` if left out. */
  readonly isIpv6Only?: boolean
  /** The beginning of the names of the settings, for messages; empty if left out. */
  readonly prefix?: string
}

/** `file`: the path of a Unix socket. */
export type ListenAddress = TcpAddress | { readonly file: string }

/** The beginning of `PORT` before the path of a Unix socket. */
const socketPrefix = 'unix:'

/** The longest path of a Unix socket on all systems, in bytes: macOS has 104, with the final NUL. */
const longestSocketPath = 103

/** Reads a port, or a Unix socket such as `unix:/run/latchkey/http.sock`. */
export function portOrSocket() {
  return z
    .string()
    .superRefine((text, context) => {
      const problem = text.startsWith(socketPrefix) ? socketProblem(text) : portProblem(text)
      if (problem !== null) context.addIssue(problem)
    })
    .transform(text =>
      text.startsWith(socketPrefix) ? { file: text.slice(socketPrefix.length) } : Number(text),
    )
}

function portProblem(text: string): string | null {
  const isPort = /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
  return isPort ? null : 'it must be a whole number from 1 to 65535'
}

function socketProblem(text: string): string | null {
  const file = text.slice(socketPrefix.length)
  if (!file.startsWith('/') || file.endsWith('/') || file.includes('\0'))
    return 'unix: must be followed by an absolute path, such as unix:/run/latchkey/http.sock'
  if (Buffer.byteLength(file) <= longestSocketPath) return null
  return `the path of a socket must not be longer than ${longestSocketPath} bytes`
}

/** Reads one address to bind. */
export function bindAddress() {
  return z.string().refine(isHost, 'it must be an address to bind, such as 127.0.0.1').default('127.0.0.1')
}

/** Reads a list of addresses to bind. */
export function bindAddresses() {
  return z
    .string()
    .superRefine((text, context) => {
      const problem = listProblem(listOf(text))
      if (problem !== null) context.addIssue(problem)
    })
    .transform(listOf)
    .default(['127.0.0.1'])
}

/**
 * Returns the addresses to listen at. In a list, an IPv6 address accepts only IPv6, so that `::` and `0.0.0.0` can be
 * listed together; `::` without others accepts IPv4 as well.
 */
export function listenAddresses(
  port: number | { readonly file: string },
  hosts: readonly string[],
): readonly ListenAddress[] {
  if (typeof port !== 'number') return [port]
  return hosts.map(host => ({ host, port, isIpv6Only: hosts.length > 1 && isIP(host) === 6 }))
}

/** Returns the first address that other machines may reach; `null` if only this machine reaches all of them. */
export function openHost(addresses: readonly ListenAddress[]): string | null {
  const open = addresses.find(address => 'host' in address && !isLoopbackHost(address.host))
  return open !== undefined && 'host' in open ? open.host : null
}

function listProblem(hosts: readonly string[]): string | null {
  const wrong = hosts.find(host => !isHost(host))
  if (wrong === '') return 'it has a comma without anything before or after it; remove that comma'
  if (wrong !== undefined)
    return hosts.length === 1
      ? 'it must be an address to bind, such as 127.0.0.1'
      : `"${wrong}" is not an address to bind; use addresses separated by commas, such as 127.0.0.1,::1`
  const twice = hosts.find((host, index) => hosts.indexOf(host) !== index)
  if (twice !== undefined) return `it contains ${twice} twice; remove one of them`
  return includedProblem(hosts, 4, '0.0.0.0') ?? includedProblem(hosts, 6, '::')
}

/** Refuses an address next to the one that includes all addresses of its family: the port would be in use. */
function includedProblem(hosts: readonly string[], family: 4 | 6, all: string): string | null {
  const included = hosts.find(host => isIP(host) === family && host !== all)
  if (!hosts.includes(all) || included === undefined) return null
  return `${all} already includes ${included}; remove one of them`
}

function listOf(text: string): readonly string[] {
  return text.split(',').map(host => host.trim())
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[A-Za-z0-9.-]+$/.test(text)
}
