/** The state that a form passes to the next page, sealed, and only for this browser session. */

import { z } from 'zod'
import { adminSession } from '#lib/config/limits.ts'
import type { AdminFlash, AdminFlashes, AdminSession } from '#lib/ports/administration.ts'
import type { Clock } from '#lib/ports/environment.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { type Digest, type FlashHandle, parseHandle } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { FormFields } from '../use-case.ts'

const fieldsSchema = z.record(z.string(), z.array(z.string()))

const flashSchema = z.discriminatedUnion('kind', [
  /** Rejected input, to be shown again with its errors. */
  z.object({
    kind: z.literal('draft'),
    useCase: z.string(),
    fields: fieldsSchema,
    /** Secrets that were entered, for the same form after a fresh sign-in. No page gets them. */
    secrets: fieldsSchema.optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
    conflict: z.object({ reason: z.string(), current: jsonValueSchema }).nullable(),
  }),
  /** The result of a use case that is shown only once, such as a new secret. */
  z.object({ kind: z.literal('answer'), useCase: z.string(), value: jsonValueSchema }),
])

export type Flash = z.infer<typeof flashSchema>
export type FormState = Omit<Extract<Flash, { kind: 'draft' }>, 'secrets'> & {
  /** Whether `typedSecrets` has something for this form. */
  readonly hasSecrets: boolean
}
export type OneTimeMessage = Extract<Flash, { kind: 'answer' }>

/** Stores the state for the next page, whose query contains the handle. */
export async function storePageState(
  ports: AdminPorts,
  session: AdminSession,
  flash: Flash,
): Promise<FlashHandle> {
  const handle = ports.random.handle('flash')
  const digest = ports.hashing.digest(handle)
  await ports.adminFlashes.create({
    digest,
    sessionDigest: ownerOf(ports, session),
    sealedContent: ports.sealing.seal(JSON.stringify(flash), placeOf(digest)),
    expiresAt: secondsAfter(ports.clock.now(), adminSession.flashSeconds),
  })
  return handle
}

/** The rejected input of a form. It is kept until it expires, so that reloading shows it again. */
export async function readFormState(
  ports: AdminPorts,
  session: AdminSession,
  text: string | undefined,
): Promise<FormState | null> {
  const flash = await read(ports, session, text, 'find')
  if (flash?.kind !== 'draft') return null
  const { secrets, ...draft } = flash
  return { ...draft, hasSecrets: Object.keys(secrets ?? {}).length > 0 }
}

/** The secrets typed into a form of this use case before the admin had to sign in again. */
export async function typedSecrets(
  ports: AdminPorts,
  session: AdminSession,
  { handle, useCase }: { readonly handle: string | null; readonly useCase: string },
): Promise<FormFields> {
  const flash = handle === null ? null : await read(ports, session, handle, 'find')
  return flash?.kind === 'draft' && flash.useCase === useCase ? (flash.secrets ?? {}) : {}
}

/** The result of a use case. Reading deletes it. */
export async function takeOneTimeMessage(
  ports: AdminPorts,
  session: AdminSession,
  text: string | undefined,
): Promise<OneTimeMessage | null> {
  const flash = await read(ports, session, text, 'take')
  return flash?.kind === 'answer' ? flash : null
}

async function read(
  ports: AdminPorts,
  session: AdminSession,
  text: string | undefined,
  how: 'find' | 'take',
): Promise<Flash | null> {
  const handle = parseHandle('flash', text)
  if (handle === null) return null
  const digest = ports.hashing.digest(handle)
  const found = await ports.adminFlashes[how](digest, ownerOf(ports, session), ports.clock.now())
  if (found === null) return null
  return flashSchema.parse(JSON.parse(ports.sealing.open(found.sealedContent, placeOf(digest))))
}

/** The browser session, which stays the same after a fresh sign-in. */
function ownerOf({ hashing }: AdminPorts, { sessionId, subject }: AdminSession): Digest {
  return hashing.digest(JSON.stringify([sessionId, subject]))
}

function placeOf(digest: string): string {
  return `admin_flash:content:${digest}`
}

type Bounds = { readonly flashesKept: number; readonly flashCharacters: number }
type Kept = Pick<AdminFlash, 'digest' | 'expiresAt'> & { readonly characters: number }

/** NOTE: it counts the states of this process only. On several nodes each has its own bound. */
export function boundedPageStates(
  flashes: AdminFlashes,
  clock: Clock,
  bounds: Bounds = adminSession,
): AdminFlashes {
  const shelves = new Map<Digest, readonly Kept[]>()

  function keepOnly(isWanted: (kept: Kept) => boolean): void {
    for (const [owner, shelf] of shelves) {
      const left = shelf.filter(isWanted)
      if (left.length === 0) shelves.delete(owner)
      else shelves.set(owner, left)
    }
  }

  return {
    find: flashes.find,
    create: async flash => {
      await flashes.create(flash)
      const now = clock.now()
      keepOnly(({ expiresAt }) => expiresAt > now)
      const { sessionDigest: owner, digest, expiresAt, sealedContent } = flash
      const shelf = [...(shelves.get(owner) ?? []), { digest, expiresAt, characters: sealedContent.length }]
      const surplus = surplusOf(shelf, bounds)
      shelves.set(owner, shelf.slice(surplus))
      for (const old of shelf.slice(0, surplus)) await flashes.take(old.digest, owner, now)
    },
    take: async (digest, owner, now) => {
      keepOnly(kept => kept.digest !== digest)
      return flashes.take(digest, owner, now)
    },
  }
}

/** How many of the oldest must go. */
function surplusOf(shelf: readonly Kept[], { flashesKept, flashCharacters }: Bounds): number {
  let characters = 0
  const fitting = shelf.toReversed().findIndex((kept, index) => {
    characters += kept.characters
    return index > 0 && (index >= flashesKept || characters > flashCharacters)
  })
  return fitting === -1 ? 0 : shelf.length - fitting
}
