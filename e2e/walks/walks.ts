/** Runs many random walks on one server. */

import { join } from 'node:path'
import { createHashing } from '#lib/crypto/hashing.ts'
import { readMailFolder } from '#lib/delivery/mail/mail-folder.ts'
import type { HttpBrowser } from '../fixtures/requests/http-browser.ts'
import type { Latchkey } from '../fixtures/server/latchkey.ts'
import { newMasterKey } from '../fixtures/server/latchkey.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { walk } from './walk.ts'
import { mailAddressOf, makeWalker } from './walker.ts'

const masterKey = newMasterKey()

/** The settings of the server: each walk comes from its own address, and the walks make accounts with factors. */
export const walkEnvironment = { TRUST_PROXY: '127.0.0.1', MASTER_KEY: masterKey }

export type Walks = {
  readonly count: number
  /** The seed of the first walk; each further one has the next number. */
  readonly seed: number
  readonly steps: number
  readonly onWalk?: (done: number) => void
}

const { digest } = createHashing()
const together = 4

/** Walks, and returns the failures and how often each page was seen. */
export function runWalks(server: Latchkey, { count, seed, steps, onWalk }: Walks) {
  const failures: unknown[] = []
  const pages = new Map<string, number>()
  let next = 0
  let done = 0
  return onTablesOf(server, async tables => {
    const expire = async ({ cookies }: HttpBrowser) => {
      const where = { browser: digest(cookies.get('latchkey_browser') ?? '') }
      const data = { expiresAt: new Date(Date.now() - 1000) }
      await tables.partialSignIn.updateMany({ where, data })
      await tables.pendingRequest.updateMany({ where, data })
    }
    const walkOn = async () => {
      while (next < count) {
        const index = next++
        const walker = await makeWalker(tables, masterKey, index)
        const newestMail = async () => {
          const mails = await readMailFolder(join(server.dataDirectory, 'mail'))
          return mails.find(({ to }) => to === mailAddressOf(walker.username))?.text ?? null
        }
        const parts = { issuer: server.issuer, walker, seed: seed + index, steps, expire, newestMail }
        const path = await walk(parts).catch(error => {
          failures.push(error)
          return []
        })
        for (const step of path) countPage(pages, step)
        onWalk?.(++done)
      }
    }
    await Promise.all(Array.from({ length: together }, walkOn))
    return { failures, pages }
  })
}

/** Counts the page of a step, such as `/login` of `reload: 200 /login?pending=…`. */
function countPage(pages: Map<string, number>, step: string): void {
  const page = /: (?:\d+ )?([^?]+)/.exec(step)?.[1] ?? step
  pages.set(page, (pages.get(page) ?? 0) + 1)
}
