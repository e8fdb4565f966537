/**
 * An authenticator in software, with the browser in front of it: it creates passkeys with ES256 keys and signs challenges
 * (Web Authentication Level 3, 6). Tests change single fields of its messages.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { encodeCbor } from './cbor.ts'

type SoftPasskey = {
  readonly id: Buffer
  readonly key: KeyObject
  readonly publicKey: KeyObject
  readonly rpId: string
  readonly userHandle: string
  counter: number
}

/** The differences from an honest message. */
export type Changes = {
  readonly challenge?: string
  readonly origin?: string
  readonly rpId?: string
  /** The user handle; `null`: not sent. */
  readonly userHandle?: string | null
  readonly credentialId?: string
  readonly counter?: number
  readonly isUserVerified?: boolean
  readonly canBeBackedUp?: boolean
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly key?: KeyObject
  /** The attestation statement, with its format. */
  readonly attestation?: {
    readonly fmt: string
    readonly attStmt: { readonly [name: string]: number | Buffer }
  }
}

type CreateOptions = {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}
type GetOptions = { readonly challenge: string; readonly rpId: string }

type Model = {
  readonly origin: string
  /** Whether each use increases the counter; others always send 0. */
  readonly counts?: boolean
  /** Whether passkeys are synchronized. */
  readonly isSynchronized?: boolean
  /** Whether it keeps passkeys itself. A security key without space does not: it needs their IDs, and names no user. */
  readonly isDiscoverable?: boolean
}

export type SoftAuthenticator = ReturnType<typeof createAuthenticator>

/** Creates an authenticator without passkeys. Its messages are the JSON that the browser would send. */
export function createAuthenticator({
  origin,
  counts = true,
  isSynchronized = false,
  isDiscoverable = true,
}: Model) {
  const passkeys: SoftPasskey[] = []
  const next = (passkey: SoftPasskey) => {
    if (counts) passkey.counter += 1
    return passkey.counter
  }
  const dataOf = (passkey: SoftPasskey, changes: Changes, attested?: Buffer) =>
    authenticatorData({
      rpId: changes.rpId ?? passkey.rpId,
      counter: changes.counter ?? next(passkey),
      flags: flagsOf({
        isUserVerified: changes.isUserVerified ?? true,
        canBeBackedUp: changes.canBeBackedUp ?? isSynchronized,
      }),
      attested,
    })
  const attest = (passkey: SoftPasskey, { challenge }: CreateOptions, changes: Changes) => {
    const authData = dataOf(passkey, changes, attestedCredential(passkey.id, passkey.publicKey))
    return JSON.stringify({
      ...identified(passkey.id, changes),
      response: {
        clientDataJSON: clientData('webauthn.create', { challenge, origin, ...changes }),
        attestationObject: base64url(
          encodeCbor({ fmt: 'none', attStmt: {}, ...changes.attestation, authData }),
        ),
        transports: ['internal'],
      },
      clientExtensionResults: { credProps: { rk: isDiscoverable } },
    })
  }
  return {
    /** Returns the newest passkey, to move it to another authenticator. */
    exported: () => {
      const { id, key, rpId, userHandle, counter } = newestOf(passkeys)
      const privateKey = key.export({ format: 'der', type: 'pkcs8' }).toString('base64')
      return { id, privateKey, rpId, userHandle, counter }
    },
    create: (options: CreateOptions, changes: Changes = {}): string => {
      const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { rp, user } = options
      const named = { id: randomBytes(20), rpId: rp.id, userHandle: user.id }
      const passkey = { ...named, key, publicKey, counter: 0 }
      passkeys.push(passkey)
      return attest(passkey, options, changes)
    },
    /** Presents the newest passkey as a new one. */
    repeat: (options: CreateOptions): string => attest(newestOf(passkeys), options, {}),
    get: ({ challenge }: GetOptions, changes: Changes = {}): string => {
      const passkey = newestOf(passkeys)
      const authData = dataOf(passkey, changes)
      const clientDataJSON = clientData('webauthn.get', { challenge, origin, ...changes })
      const signed = Buffer.concat([authData, digestOf(Buffer.from(clientDataJSON, 'base64url'))])
      const { userHandle = isDiscoverable ? passkey.userHandle : null, key = passkey.key } = changes
      return JSON.stringify({
        ...identified(passkey.id, changes),
        response: {
          clientDataJSON,
          authenticatorData: base64url(authData),
          signature: base64url(sign('sha256', signed, key)),
          ...(userHandle === null ? {} : { userHandle }),
        },
        clientExtensionResults: {},
      })
    },
  }
}

function newestOf(passkeys: readonly SoftPasskey[]): SoftPasskey {
  const passkey = passkeys.at(-1)
  if (passkey === undefined) throw new Error('This authenticator has no passkey.')
  return passkey
}

function identified(own: Buffer, { credentialId = base64url(own) }: Changes) {
  return { id: credentialId, rawId: credentialId, type: 'public-key' }
}

function clientData(
  usual: string,
  { type = usual, challenge, origin, crossOrigin = false }: Changes,
): string {
  return base64url(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin })))
}

type Data = {
  readonly rpId: string
  readonly flags: number
  readonly counter: number
  readonly attested: Buffer | undefined
}

/** Makes the data that is signed: the digest of the RP ID, the flags, the counter and a new key. */
function authenticatorData({ rpId, flags, counter, attested }: Data): Buffer {
  const counted = Buffer.alloc(4)
  counted.writeUInt32BE(counter)
  const all = attested === undefined ? flags : flags | 0x40
  return Buffer.concat([
    digestOf(Buffer.from(rpId)),
    Buffer.from([all]),
    counted,
    ...(attested ? [attested] : []),
  ])
}

function flagsOf({
  isUserVerified,
  canBeBackedUp,
}: Required<Pick<Changes, 'isUserVerified' | 'canBeBackedUp'>>) {
  return 0x01 | (isUserVerified ? 0x04 : 0) | (canBeBackedUp ? 0x18 : 0)
}

/** Describes a new key: zeros as the model, the ID, and the public key in COSE (RFC 9053 7.1.1). */
function attestedCredential(id: Buffer, publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const point = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')] as const
  const cose = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, point[0]],
    [-3, point[1]],
  ])
  return Buffer.concat([Buffer.alloc(16), length, id, encodeCbor(cose)])
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url')
}
