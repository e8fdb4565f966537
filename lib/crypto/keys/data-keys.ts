/**
 * The data keys: three random keys that seal values, chain the audit log and derive other keys. They are stored in one value,
 * wrapped with the master key. So the master key can be replaced without reading anything that they protect. In an
 * installation that is older than the data keys, all three are its first master key.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Sealing } from '#lib/ports/environment.ts'
import { keyCheckName, type MasterKeys, masterKeysOf } from './master-key.ts'
import { createSealing, createWrapping, keyIdOf } from './sealing.ts'

export type DataKeys = {
  /** Seals values that must be read again. */
  readonly sealing: Buffer
  /** Chains the rows of the audit log. */
  readonly audit: Buffer
  /** Other keys are derived from it, one for each purpose. */
  readonly derivation: Buffer
}

/** `masterKey`: the key that wraps the data keys. During a rotation it can be the next master key. */
export type OpenedDataKeys = { readonly keys: DataKeys; readonly masterKey: Buffer }

/** The name in `Meta` of the wrapped data keys. */
export const dataKeysName = 'data_keys'
const keysContext = `meta:value:${dataKeysName}`

const checkContext = `meta:value:${keyCheckName}`
const checkText = 'latchkey'

const keyIdSchema = z.string().regex(/^[\w-]{8}$/)

/** The stored form. `masterKeyId`: the key that wraps. `replaced`: the master key before the latest rotation; `null` before the first rotation. */
const storedSchema = z.object({
  masterKeyId: keyIdSchema,
  replaced: z.object({ masterKeyId: keyIdSchema, at: z.iso.datetime() }).nullable(),
  wrapped: z.string(),
})
type Stored = z.output<typeof storedSchema>

const base64 = z.string().transform(text => Buffer.from(text, 'base64'))
const keysSchema = z.object({ sealing: base64, audit: base64, derivation: base64 })

/**
 * Opens the data keys. The first start of an installation makes and stores them. Throws a ConfigError if neither master key
 * opens them, or if the two master keys are exchanged (CR-04, MK-02).
 */
export async function openDataKeys(
  masterKeys: MasterKeys,
  meta: Pick<Meta, 'find' | 'settle'>,
): Promise<OpenedDataKeys> {
  // NOTE: in this order. Data keys are stored before the check, so a check without data keys was stored by an earlier release
  const check = await meta.find(keyCheckName)
  const text =
    (await meta.find(dataKeysName)) ?? (await meta.settle(dataKeysName, firstDataKeys(masterKeys, check)))
  const opened = unwrap(readStored(text), masterKeys)
  const sealing = createSealing(opened.keys.sealing)
  if (canOpen(sealing, check ?? (await meta.settle(keyCheckName, sealing.seal(checkText, checkContext)))))
    return opened
  throw damaged()
}

/**
 * Returns the data keys for an installation that has none: its master key if its data is of an earlier release, otherwise new
 * ones.
 */
function firstDataKeys(masterKeys: MasterKeys, check: string | null): string {
  const { bytes } = masterKeys.current
  if (check !== null && !canOpen(createSealing(bytes), check)) throw differentKey(masterKeys)
  const makeKey = () => (check === null ? randomBytes(32) : bytes)
  const keys = { sealing: makeKey(), audit: makeKey(), derivation: makeKey() }
  return wrap(keys, { masterKey: bytes, replaced: null })
}

function wrap(
  keys: DataKeys,
  { masterKey, replaced }: Pick<Stored, 'replaced'> & { readonly masterKey: Buffer },
): string {
  const entries = Object.entries(keys).map(([name, key]) => [name, key.toString('base64')])
  const wrapped = createWrapping(masterKey).seal(JSON.stringify(Object.fromEntries(entries)), keysContext)
  return JSON.stringify({ masterKeyId: keyIdOf(masterKey), replaced, wrapped } satisfies Stored)
}

function unwrap(stored: Stored, masterKeys: MasterKeys): OpenedDataKeys {
  const { current } = masterKeys
  const found = masterKeysOf(masterKeys).find(({ bytes }) => keyIdOf(bytes) === stored.masterKeyId)
  if (found === undefined) throw differentKey(masterKeys, stored)
  if (found !== current && stored.replaced?.masterKeyId !== keyIdOf(current.bytes))
    throw new ConfigError(
      `${found.subject} is (not shown), but it is the key of the data, and ${current.subject} is not; exchange the two.`,
    )
  try {
    const text = createWrapping(found.bytes).open(stored.wrapped, keysContext)
    return { keys: keysSchema.parse(JSON.parse(text)), masterKey: found.bytes }
  } catch {
    throw damaged()
  }
}

function readStored(text: string): Stored {
  try {
    return storedSchema.parse(JSON.parse(text))
  } catch {
    throw damaged()
  }
}

function damaged(): ConfigError {
  return new ConfigError(
    `The data keys in the database are damaged: restore the value "${dataKeysName}" of the table "Meta" from a backup.`,
  )
}

function differentKey({ current }: MasterKeys, stored: Stored | null = null): ConfigError {
  const replaced = stored?.replaced ?? null
  return new ConfigError(
    replaced !== null && replaced.masterKeyId === keyIdOf(current.bytes)
      ? `${current.subject} is (not shown), but it was replaced on ${replaced.at.slice(0, 10)}; set MASTER_KEY to the key that replaced it.`
      : `${current.subject} is (not shown), but it is different from the one the data was made with; start with the earlier key, or with a new database.`,
  )
}

function canOpen(sealing: Sealing, check: string): boolean {
  try {
    return sealing.open(check, checkContext) === checkText
  } catch {
    return false
  }
}

/** `from`: the stored value. `to`: the one that replaces it; `null`: MASTER_KEY_NEXT wraps the data keys already. */
type Rotation = { readonly from: string; readonly to: string | null }

/**
 * Wraps the data keys with the next master key. The caller stores the result if `from` is still stored. Throws a ConfigError if
 * there is no next key, or if the present key does not open the data keys.
 */
export async function planRotation(
  masterKeys: MasterKeys,
  meta: Pick<Meta, 'find' | 'settle'>,
  now: Date,
): Promise<Rotation> {
  const { current } = masterKeys
  const next = requireNextKey(masterKeys)
  const from = (await meta.find(dataKeysName)) ?? ''
  const { keys, masterKey } = unwrap(readStored(from), masterKeys)
  if (masterKey === next.bytes) return { from, to: null }
  const replaced = { masterKeyId: keyIdOf(current.bytes), at: now.toISOString() }
  return { from, to: wrap(keys, { masterKey: next.bytes, replaced }) }
}

/** Returns the next master key. Throws a ConfigError if MASTER_KEY_NEXT is not set to another key. */
export function requireNextKey({ next }: MasterKeys): NonNullable<MasterKeys['next']> {
  if (next !== null) return next
  throw new ConfigError(
    'MASTER_KEY_NEXT is not set to another key; set it to the output of "openssl rand -base64 32" on every node, restart the nodes one by one, and run this command again.',
  )
}
