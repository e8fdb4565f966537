/**
 * How the command line reaches a running server where it must not write to the database itself: SQLite serves one
 * process. A folder beside the database file takes requests and gives answers; only the server's own account can enter it,
 * who could write to the database as well.
 */
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type OperatorAnswer,
  type OperatorRequest,
  operatorAnswerSchema,
  operatorRequestSchema,
} from './operator-request.ts'

const lookEveryMs = 300
const longestWaitMs = 10_000
const requestName = /^([0-9a-f-]{36})\.request$/

export function mailboxOf(databaseFile: string): string {
  return `${databaseFile}.requests`
}

/** The server's side: empties the folder, then answers what comes. Returns the function that ends it. */
export function openMailbox(folder: string, { carryOut, onFailure }: MailboxOwner): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true })
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    await answerAll(folder, carryOut).catch(onFailure)
    isLooking = false
  }, lookEveryMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    rmSync(folder, { recursive: true, force: true })
  }
}

type MailboxOwner = {
  readonly carryOut: (request: OperatorRequest) => Promise<OperatorAnswer>
  readonly onFailure: (error: unknown) => void
}

async function answerAll(folder: string, carryOut: MailboxOwner['carryOut']): Promise<void> {
  for (const name of readdirSync(folder)) {
    const id = requestName.exec(name)?.[1]
    if (id === undefined) continue
    const text = readFileSync(join(folder, name), 'utf8')
    // Taken before it is carried out: nothing is done twice
    rmSync(join(folder, name))
    const request = operatorRequestSchema.safeParse(JSON.parse(text))
    put(folder, `${id}.answer`, request.success ? await carryOut(request.data) : { problem: otherRelease })
  }
}

const otherRelease =
  'The running server is of another release and does not know this command; restart it first.'

/** The command's side. `null` when no server took the request in time; it is withdrawn then. */
export async function askServer(folder: string, request: OperatorRequest): Promise<OperatorAnswer | null> {
  if (!existsSync(folder)) return null
  const id = randomUUID()
  put(folder, `${id}.request`, request)
  const [asked, answered] = [join(folder, `${id}.request`), join(folder, `${id}.answer`)]
  try {
    for (const deadline = Date.now() + longestWaitMs; Date.now() < deadline; await delay(lookEveryMs / 3))
      if (existsSync(answered)) return operatorAnswerSchema.parse(JSON.parse(readFileSync(answered, 'utf8')))
    return null
  } finally {
    for (const file of [asked, answered]) rmSync(file, { force: true })
  }
}

/** Whole or not at all: a reader never meets half a file. */
function put(folder: string, name: string, content: unknown): void {
  const draft = join(folder, `.${name}`)
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600, flag: 'wx' })
  renameSync(draft, join(folder, name))
}
