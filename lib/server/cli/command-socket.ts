/**
 * The connection of `npm run admin` and `npm run import` to a running server: a Unix socket in the data folder. With
 * SQLite only the server may write to the database. Only the server's own account can connect, and that account could
 * write to the database file as well.
 */
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Command, type CommandResult, commandResultSchema, commandSchema } from './command.ts'

const longestWaitMs = 10_000
const longestCommand = 10_000

/** The path of the socket. If the data folder cannot contain a socket, this is a file with the path of the real one. */
export function commandSocketOf(databaseFile: string): string {
  return `${databaseFile}.sock`
}

type CommandServer = {
  readonly run: (command: Command) => Promise<CommandResult>
  readonly onFailure: (error: unknown) => void
}

/**
 * Listens until the returned function is called. Removes a socket of an earlier server at `path`: the caller holds the
 * lease of the database. If no socket can be made, reports the failure, and the server runs without one.
 */
export async function openCommandSocket(path: string, commands: CommandServer): Promise<() => void> {
  const server = createServer({ allowHalfOpen: true }, socket => void answer(socket, commands))
  server.unref()
  try {
    const folder = await listenNear(server, path)
    server.on('error', commands.onFailure)
    return () => {
      server.close()
      rmSync(path, { force: true })
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    }
  } catch (error) {
    commands.onFailure(error)
    return () => {}
  }
}

/**
 * Listens at `path`, or in a new folder if `path` cannot be a socket: a path can have about 104 bytes, and not all file
 * systems support sockets. Returns the new folder, or `null`.
 */
async function listenNear(server: Server, path: string): Promise<string | null> {
  rmSync(path, { force: true })
  try {
    await listen(server, path)
    return null
  } catch {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
    const socket = join(folder, 'commands.sock')
    await listen(server, socket)
    writeFileSync(path, socket, { mode: 0o600 })
    return folder
  }
}

/**
 * Listens at `path`. NOTE: the umask gives the socket mode 0600 from the beginning, so that no other account can
 * connect in between.
 */
function listen(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  const before = process.umask(0o177)
  try {
    server.listen(path, resolve)
  } finally {
    process.umask(before)
  }
  return promise.finally(() => server.off('error', reject))
}

async function answer(socket: Socket, { run, onFailure }: CommandServer): Promise<void> {
  socket.setTimeout(longestWaitMs, () => socket.destroy())
  // An import takes longer than the time limit: spaces before the result, which JSON allows, show that it is in
  // progress
  const alive = setInterval(() => socket.writable && socket.write(' '), longestWaitMs / 5)
  // The sender has ended, for example after Ctrl+C; without a listener, the error would end this process as well
  socket.on('error', () => clearInterval(alive))
  try {
    const command = commandSchema.safeParse(JSON.parse(await readAll(socket)))
    const result = command.success ? await run(command.data) : { problem: otherRelease }
    socket.end(JSON.stringify(result))
  } catch (error) {
    socket.end(JSON.stringify({ problem: failed }))
    onFailure(error)
  } finally {
    clearInterval(alive)
  }
}

const otherRelease =
  'The running server is of another release and does not know this command; restart it first.'

const failed = 'The running server could not run this command. Its log has the reason.'

const unreadable =
  'The answer of the running server cannot be read; it may be of another release. Check whether it ran this command; if not, restart it and try again.'

async function readAll(socket: Socket): Promise<string> {
  let received = ''
  socket.setEncoding('utf8')
  for await (const part of socket) {
    received += part
    if (received.length > longestCommand) throw new Error('A command was too long.')
  }
  return received
}

/**
 * Sends a command to the running server. Returns `null` if no server answers in time, or its answer is empty. An answer
 * that cannot be read is a problem and not `null`: the server may have run the command.
 */
export async function sendCommand(path: string, command: Command): Promise<CommandResult | null> {
  const target = socketAt(path)
  if (target === null) return null
  const socket = connect(target)
  socket.setTimeout(longestWaitMs, () => socket.destroy())
  try {
    socket.end(JSON.stringify(command))
    const answer = (await text(socket)).trim()
    return answer === '' ? null : readResult(answer)
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}

function readResult(answer: string): CommandResult {
  try {
    return commandResultSchema.parse(JSON.parse(answer))
  } catch {
    return { problem: unreadable }
  }
}

function socketAt(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  return found.isFile() ? readFileSync(path, 'utf8') : path
}
