/** The state that a form passes to the next page, sealed and only for this admin session. */
import { z } from 'zod'
import { adminSession } from '#lib/config/limits.ts'
import type { AdminSession } from '#lib/ports/administration.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { type Digest, type FlashHandle, parseHandle } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { FormFields } from '../use-case.ts'

const fieldsSchema = z.record(z.string(), z.array(z.string()))

const flashSchema = z.discriminatedUnion('kind', [
  /** Input that was not accepted, to be shown again with what is wrong. */
  z.object({
    kind: z.literal('draft'),
    useCase: z.string(),
    fields: fieldsSchema,
    /** Secrets that were typed, for the same form once more. No page gets them. */
    secrets: fieldsSchema.optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
    conflict: z.object({ reason: z.string(), current: jsonValueSchema }).nullable(),
  }),
  /** What a use case answered and no page may show twice, such as a new secret. */
  z.object({ kind: z.literal('answer'), useCase: z.string(), value: jsonValueSchema }),
])

export type Flash = z.infer<typeof flashSchema>
export type FormState = Omit<Extract<Flash, { kind: 'draft' }>, 'secrets'> & {
  /** Whether `typedSecrets` has something for this form. */
  readonly hasSecrets: boolean
}
export type OneTimeMessage = Extract<Flash, { kind: 'answer' }>

/** Keeps it for the next page, whose query carries the handle. */
export async function keepFlash(
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

/** A draft stays until it expires, so that reloading keeps the input. */
export async function readDraft(
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

/** An answer is shown once: reading it takes it away. */
export async function takeAnswer(
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

/** The browser session, which outlives a step-up: what was typed before it is there after it. */
function ownerOf({ hashing }: AdminPorts, { sessionId, subject }: AdminSession): Digest {
  return hashing.digest(JSON.stringify([sessionId, subject]))
}

function placeOf(digest: string): string {
  return `admin_flash:content:${digest}`
}
