/** The operator's signing certificate: its key is imported once, at the first start with this certificate. */
import { readFile } from 'node:fs/promises'
import type { Config } from '#lib/config/env.ts'
import { CertificateProblem, readCertifiedKey } from '#lib/crypto/keys/certificates.ts'
import type { KeyRing } from '#lib/crypto/keys/key-ring.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Clock } from '#lib/ports/environment.ts'

type Parts = {
  readonly keyRing: Pick<KeyRing, 'importKey'>
  readonly meta: Meta
  readonly clock: Clock
}

/**
 * Imports the key. Throws a ConfigError for a file that cannot be used. NOTE: a key that an administrator has revoked
 * must not be imported again at a restart (KEY-03), so a digest of the certificate is stored.
 */
export async function importSigningCertificate(
  { signingCertificate: file, signingCertificatePassword: password }: ConfigPart,
  { keyRing, meta, clock }: Parts,
): Promise<void> {
  if (file === null) return
  const now = clock.now()
  const certified = await readCertifiedKey(await read(file), password).catch(error => {
    if (!(error instanceof CertificateProblem)) throw error
    throw problem(file, error.message)
  })
  const name = `imported_key:${certified.own.fingerprint256}`
  if ((await meta.find(name)) !== null) return
  // Checked only at the import: a certificate that expires later does not stop the server
  if (certified.own.validToDate <= now)
    throw problem(file, `its certificate ended on ${certified.own.validTo}`)
  await keyRing.importKey(certified)
  await meta.settle(name, now.toISOString())
}

type ConfigPart = Pick<Config, 'signingCertificate' | 'signingCertificatePassword'>

function read(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw problem(file, 'it cannot be read')
  })
}

function problem(file: string, what: string): ConfigError {
  return new ConfigError(
    `LATCHKEY_SIGNING_CERTIFICATE is ${JSON.stringify(file)}, but ${what}; name a PFX or PEM file with an RSA key and its certificate.`,
  )
}
