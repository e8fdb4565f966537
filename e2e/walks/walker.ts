/** The user of a walk: an account with its factors, and the values that the user types into forms. */
import { Secret, TOTP } from 'otpauth'
import { createHashing } from '#lib/crypto/hashing.ts'
import { createSealing } from '#lib/crypto/keys/sealing.ts'
import { recoveryCodeDigest } from '#lib/identity/second-factor/recovery-codes.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Database } from '#lib/storage/database.ts'
import { alice } from '../fixtures/server/configuration.ts'
import type { PageForm } from './html.ts'

const kinds = ['password', 'authenticator app', 'temporary password'] as const

/** A field of a form on the page with this path. */
type Typing = { readonly form: PageForm; readonly page: string; readonly field: string }

export type Walker = {
  readonly kind: (typeof kinds)[number]
  readonly username: string
  /** The right value for a field of a form; `null` for a field that the user leaves unchanged. */
  readonly typed: (typing: Typing) => string | null
  /** Brings the password and the factors back to those of the beginning, and ends the limits: the user waits. */
  readonly restore: () => Promise<void>
}

const secret = new Secret({ size: 20 })
const recoveryCode = '22222-33333-44444'
const newPassword = `${alice.password} and closes them`

/** Makes the account of a walk. `index` names it; the kinds take turns. */
export async function makeWalker(tables: Database, masterKey: string, index: number): Promise<Walker> {
  const kind = kinds[index % kinds.length] ?? 'password'
  const username = `walker-${index}`
  const subject = subjectIdSchema.parse(username)
  const row = await tables.user.findUnique({ where: { subject: alice.sub } })
  if (row === null) throw new Error('the server has no user to copy')
  const account = { passwordHash: row.passwordHash, mustChangePassword: kind === 'temporary password' }
  const email = mailAddressOf(username)
  const claims = { email, email_verified: true }
  const named = {
    subject,
    username,
    canonicalUsername: username,
    verifiedEmail: email,
    claims: JSON.stringify(claims),
  }
  await tables.user.create({ data: { ...row, ...named, ...account } })
  const sealedSecret = createSealing(Buffer.from(masterKey, 'base64')).seal(
    secret.base32,
    `authenticator_apps:secret:${subject}`,
  )
  const restore = async () => {
    await tables.user.update({ where: { subject }, data: account })
    await tables.rateLimitCounter.deleteMany()
    await tables.recoveryCode.deleteMany({ where: { subject } })
    if (kind !== 'authenticator app') {
      await tables.authenticatorApp.deleteMany({ where: { subject } })
      return
    }
    const app = { sealedSecret, lastStep: 0, createdAt: new Date(), lastUsedAt: null }
    await tables.authenticatorApp.upsert({ where: { subject }, create: { subject, ...app }, update: app })
    const digest = recoveryCodeDigest(createHashing(), subject, recoveryCode)
    await tables.recoveryCode.create({ data: { subject, digest } })
  }
  await restore()
  return { kind, username, restore, typed: typing => typedValue(username, typing) }
}

export const mailAddressOf = (username: string) => `${username}@example.org`

/** The value for a field. A form with a second password field asks for a new password. */
function typedValue(username: string, { form, page, field }: Typing): string | null {
  switch (field) {
    case 'username':
      return username
    case 'password':
      return form.fields.some(({ name }) => name === 'again') ? newPassword : alice.password
    case 'current':
      return alice.password
    case 'again':
      return newPassword
    case 'code':
      return page.includes('recovery-code') ? recoveryCode : new TOTP({ secret }).generate()
    default:
      return null
  }
}
