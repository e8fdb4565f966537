/** Reads the users of Firebase Authentication (`firebase auth:export users.json`), with the parameters of its hashes. */
import { z } from 'zod'
import { ConfigError } from '#lib/errors/config-error.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { type FirebaseParameters, readFirebaseHash } from '#lib/protocol/registration/exported-hashes.ts'
import { parseJson } from '#lib/protocol/text/json-text.ts'
import type { ImportedUser } from '../imported.ts'
import { note } from '../mapping/field-map.ts'
import { noSecondFactor } from '../mapping/users.ts'
import { acceptedClaims, acceptedHash, readUserList, type UserExport } from './user-export.ts'

const userSchema = z.object({
  localId: z.string(),
  email: z.string().optional(),
  emailVerified: z.boolean().default(false),
  passwordHash: z.string().optional(),
  salt: z.string().optional(),
  displayName: z.string().optional(),
  photoUrl: z.string().optional(),
  phoneNumber: z.string().optional(),
  disabled: z.boolean().default(false),
  customAttributes: z.string().optional(),
  mfaInfo: z.array(z.unknown()).default([]),
  providerUserInfo: z.array(z.object({ providerId: z.string(), rawId: z.string().optional() })).default([]),
})
type FirebaseUser = z.infer<typeof userSchema>

/** The parameters as the console of Firebase shows them. */
const parametersSchema = z.object({
  base64_signer_key: z.string(),
  base64_salt_separator: z.string(),
  rounds: z.number(),
  mem_cost: z.number(),
})

const exportSchema = z.object({ users: z.array(z.unknown()), hash_config: parametersSchema.optional() })

/** Throws a ConfigError if the parameters of the hashes are missing. */
export function readFirebase(document: unknown): UserExport | null {
  const exported = exportSchema.safeParse(document).data
  if (exported === undefined) return null
  const parameters = exported.hash_config && parametersOf(exported.hash_config)
  return readUserList(exported.users, {
    schema: userSchema,
    read: (user, place) => readUser(user, place, parameters),
  })
}

function parametersOf(given: z.infer<typeof parametersSchema>): FirebaseParameters {
  return {
    signerKey: bytesOf(given.base64_signer_key),
    saltSeparator: bytesOf(given.base64_salt_separator),
    rounds: given.rounds,
    memCost: given.mem_cost,
  }
}

/** Decodes base64, also in the alphabet for URLs. */
function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

function readUser(
  user: FirebaseUser,
  place: string,
  parameters: FirebaseParameters | undefined,
): ImportedUser {
  const { localId: sub, email, phoneNumber, disabled, providerUserInfo, mfaInfo } = user
  const { claims, notes } = acceptedClaims(claimsOf(user))
  const { passwordHash, notes: ofHash } = acceptedHash(hashOf(user, parameters))
  return {
    place,
    document: { sub, username: email ?? phoneNumber ?? sub, enabled: !disabled, claims },
    passwordHash,
    mustChangePassword: false,
    logins: providerUserInfo.flatMap(({ providerId: provider, rawId: externalSubject }) =>
      externalSubject === undefined || ['password', 'phone'].includes(provider)
        ? []
        : [{ provider, externalSubject }],
    ),
    notes: [...notes, ...ofHash, ...(mfaInfo.length > 0 ? [note('changed', 'mfaInfo', noSecondFactor)] : [])],
  }
}

const customSchema = z.record(z.string(), jsonValueSchema)

function claimsOf({
  email,
  emailVerified,
  displayName,
  photoUrl,
  phoneNumber,
  customAttributes,
}: FirebaseUser) {
  const custom: Readonly<Record<string, JsonValue>> =
    customSchema.safeParse(parseJson(customAttributes ?? '{}')).data ?? {}
  return {
    ...custom,
    name: displayName,
    picture: photoUrl,
    email,
    email_verified: email === undefined ? undefined : emailVerified,
    phone_number: phoneNumber,
    phone_number_verified: phoneNumber === undefined ? undefined : true,
  }
}

function hashOf({ passwordHash, salt }: FirebaseUser, parameters: FirebaseParameters | undefined) {
  if (passwordHash === undefined || passwordHash === '') return null
  if (parameters === undefined)
    throw new ConfigError(
      'The export has passwords, but not the parameters of their hashes. Add them as "hash_config" next to "users": the console of Firebase shows them under Authentication, Users, Password hash parameters.',
    )
  return readFirebaseHash({ salt: bytesOf(salt ?? ''), hash: bytesOf(passwordHash) }, parameters)
}
