/** AES-256-GCM for values that must be read again. The text names the key that sealed it; the context is authenticated. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { Sealing } from '#lib/ports/environment.ts'
import type { IdentityProvider, IdentityProviders } from '#lib/ports/upstream.ts'
import { providerSecretContext } from '#lib/protocol/registration/records.ts'

const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16

/** Derives a separate key for each purpose: HKDF with a label (RFC 5869). */
export function deriveKey(key: Buffer, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `latchkey/${purpose}`, bytes))
}

/** Returns the name of a key: 8 characters that do not reveal it. */
export function keyIdOf(key: Buffer): string {
  return deriveKey(key, 'key-id', 6).toString('base64url')
}

/** Makes texts of the form `sealed1.<key id>.<salt, nonce, ciphertext and tag as base64url>` with the sealing key. */
export function createSealing(key: Buffer): Sealing {
  return sealingWith(deriveKey(key, 'sealing'), `sealed1.${keyIdOf(key)}.`)
}

/** Seals data keys with a master key. The texts are `wrapped1.…`, and no text that `createSealing` makes can be opened. */
export function createWrapping(masterKey: Buffer): Sealing {
  return sealingWith(deriveKey(masterKey, 'wrapping'), `wrapped1.${keyIdOf(masterKey)}.`)
}

function sealingWith(key: Buffer, prefix: string): Sealing {
  const root = createSecretKey(key)
  return {
    seal: (plaintext, context) => prefix + encrypt(root, plaintext, associatedData(prefix, context)),
    open: (sealed, context) => {
      if (!sealed.startsWith(prefix)) throw new Error('This text was not sealed under this key.')
      return decrypt(root, sealed.slice(prefix.length), associatedData(prefix, context))
    },
  }
}

function associatedData(prefix: string, context: string): Buffer {
  return Buffer.from(`${prefix}${context}`)
}

/**
 * Derives the key for one text. NOTE: random 96-bit nonces allow only 2^32 texts under one key; a salted key for each
 * text removes that limit. Keys are key objects, which Node uses faster than a Buffer.
 */
function keyOf(root: KeyObject, salt: Buffer): KeyObject {
  return createSecretKey(createHmac('sha256', root).update(salt).digest())
}

function encrypt(root: KeyObject, plaintext: string, context: Buffer): string {
  const salt = randomBytes(saltBytes)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(root, salt), nonce, { authTagLength: tagBytes }).setAAD(
    context,
  )
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return Buffer.concat([salt, nonce, body, cipher.getAuthTag()]).toString('base64url')
}

function decrypt(root: KeyObject, text: string, context: Buffer): string {
  const bytes = Buffer.from(text, 'base64url')
  // A text must have the only valid encoding: base64url would otherwise ignore foreign characters and unused bits
  if (bytes.length < saltBytes + nonceBytes + tagBytes || bytes.toString('base64url') !== text) {
    throw new Error('This sealed text is damaged.')
  }
  const nonce = bytes.subarray(saltBytes, saltBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(root, bytes.subarray(0, saltBytes)), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAAD(context).setAuthTag(bytes.subarray(-tagBytes))
  return (
    decipher.update(bytes.subarray(saltBytes + nonceBytes, -tagBytes), undefined, 'utf8') +
    decipher.final('utf8')
  )
}

/** Returns the providers with readable secrets, each opened only when it is read. */
export function withOpenedSecrets(providers: IdentityProviders, sealing: Sealing): IdentityProviders {
  return {
    all: async () => (await providers.all()).map(provider => opened(provider, sealing)),
    find: async scheme => {
      const provider = await providers.find(scheme)
      return provider === null ? null : opened(provider, sealing)
    },
  }
}

function opened(provider: IdentityProvider, sealing: Sealing): IdentityProvider {
  const { clientSecret: sealed, ...rest } = provider
  return {
    ...rest,
    get clientSecret() {
      return sealed === null ? null : sealing.open(sealed, providerSecretContext(provider.scheme))
    },
  }
}
