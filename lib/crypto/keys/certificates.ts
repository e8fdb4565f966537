/** Certificates of RSA keys: an operator's, with its private key, from a PEM or PFX file; and self-signed ones. */
import { createPrivateKey, hash, type KeyObject, sign, X509Certificate } from 'node:crypto'
import type { PublicJwk } from '#lib/ports/signing-keys.ts'

export type CertifiedKey = {
  readonly privateKey: KeyObject
  readonly own: X509Certificate
  /** The certificate of the key, then the other certificates of the file, such as those of its issuers. */
  readonly chain: readonly X509Certificate[]
}

/** The error for a file that cannot be used. The message is the end of a sentence. */
export class CertificateProblem extends Error {}

const leastBits = 2048

/**
 * Reads a key with its certificate. Throws a `CertificateProblem` unless the password opens the file, all its
 * certificates can be read, and it has an RSA key of at least 2,048 bits with its certificate, which may have expired.
 */
export async function readCertifiedKey(file: Buffer, password: string | null): Promise<CertifiedKey> {
  const pem = file.includes('-----BEGIN ') ? file.toString('latin1') : await pemOfPfx(file, password)
  const privateKey = readPrivateKey(pem, password)
  const certificates = pem.match(certificateBlock)?.map(readCertificate) ?? []
  const own = certificates.find(certificate => certificate.checkPrivateKey(privateKey))
  if (own === undefined) throw new CertificateProblem('it has no certificate for its private key')
  return { privateKey, own, chain: [own, ...certificates.filter(certificate => certificate !== own)] }
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const keyBlock = /-----BEGIN ((?:RSA |ENCRYPTED )?PRIVATE KEY)-----[\s\S]+?-----END \1-----/

function readPrivateKey(pem: string, password: string | null): KeyObject {
  const block = keyBlock.exec(pem)?.[0]
  if (block === undefined) throw new CertificateProblem('it has no private RSA key')
  const key = openPrivateKey(block, password)
  if (key.asymmetricKeyType !== 'rsa') throw new CertificateProblem('its private key is not an RSA key')
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  // JW-08
  if (modulusLength < leastBits)
    throw new CertificateProblem(`its key has ${modulusLength} bits, and at least ${leastBits} are needed`)
  return key
}

function openPrivateKey(block: string, password: string | null): KeyObject {
  try {
    return createPrivateKey({ key: block, ...(password === null ? {} : { passphrase: password }) })
  } catch {
    throw new CertificateProblem('its private key cannot be opened with the password')
  }
}

function readCertificate(block: string): X509Certificate {
  try {
    return new X509Certificate(block)
  } catch {
    throw new CertificateProblem('one of its certificates is damaged')
  }
}

/** NOTE: node-forge is large, so it is loaded only when a file or a certificate needs it. */
async function loadForge() {
  return (await import('node-forge')).default
}

async function pemOfPfx(file: Buffer, password: string | null): Promise<string> {
  const { asn1, pkcs12, pki } = await loadForge()
  const read = () => {
    const pfx = pkcs12.pkcs12FromAsn1(asn1.fromDer(file.toString('latin1')), password ?? '')
    const bags = (type: 'certBag' | 'keyBag' | 'pkcs8ShroudedKeyBag') =>
      pfx.getBags({ bagType: pki.oids[type] })[pki.oids[type]] ?? []
    const keys = [...bags('pkcs8ShroudedKeyBag'), ...bags('keyBag')]
    return [
      ...keys.flatMap(({ key }) => (key ? [pki.privateKeyToPem(key)] : [])),
      ...bags('certBag').flatMap(({ cert }) => (cert ? [pki.certificateToPem(cert)] : [])),
    ].join('\n')
  }
  try {
    return read()
  } catch {
    throw new CertificateProblem('it is neither PEM nor a PFX file that the password opens')
  }
}

/**
 * Returns the members `x5c` and `x5t` of a key (RFC 7517 4.7 and 4.8). Older APIs of IdentityServer3 read `x5c` of
 * every key.
 */
export function certificateMembers(chain: readonly Buffer[]): PublicJwk {
  const [own = Buffer.alloc(0)] = chain
  return { x5t: hash('sha1', own, 'base64url'), x5c: chain.map(der => der.toString('base64')) }
}

type Certified = {
  readonly kid: string
  readonly createdAt: Date
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const validYears = 10

/**
 * Makes a self-signed certificate: the same bytes at each call and on each node, so it is not stored. Nothing in it is
 * random, and neither is an RSA signature of PKCS #1 v1.5. The certificate is only a container for the key: it need not
 * be trusted.
 */
export async function selfSignedCertificate(key: Certified, name: string): Promise<Buffer> {
  const { asn1, pki } = await loadForge()
  const certificate = pki.createCertificate()
  certificate.publicKey = pki.publicKeyFromPem(
    key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  )
  // RFC 5280 4.1.2.2: positive, at most 20 bytes
  certificate.serialNumber = `01${hash('sha256', key.kid, 'hex').slice(0, 30)}`
  const notAfter = new Date(key.createdAt)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + validYears)
  // RFC 5280 appendix A: at most 64 characters
  const names = [{ name: 'commonName', value: name.slice(0, 64) }]
  certificate.validity = { notBefore: key.createdAt, notAfter }
  certificate.setSubject(names)
  certificate.setIssuer(names)
  certificate.signatureOid = pki.oids.sha256WithRSAEncryption
  certificate.siginfo = { algorithmOid: pki.oids.sha256WithRSAEncryption }
  const signed = Buffer.from(asn1.toDer(pki.getTBSCertificate(certificate)).getBytes(), 'latin1')
  certificate.signature = sign('sha256', signed, key.privateKey).toString('latin1')
  return Buffer.from(asn1.toDer(pki.certificateToAsn1(certificate)).getBytes(), 'latin1')
}
