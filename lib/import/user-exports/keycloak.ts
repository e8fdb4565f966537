/** Reads the users in an export of a Keycloak realm (`kc.sh export`), or in a file of its export to a directory. */
import { z } from 'zod'
import { type KeycloakHash, readKeycloakHash } from '#lib/protocol/registration/exported-hashes.ts'
import { parseJson } from '#lib/protocol/text/json-text.ts'
import type { ImportedUser } from '../imported.ts'
import { type Note, note } from '../mapping/field-map.ts'
import { noSecondFactor } from '../mapping/users.ts'
import { acceptedClaims, acceptedHash, joinedName, readUserList, type UserExport } from './user-export.ts'

const texts = z.array(z.string()).default([])

const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().optional(),
  emailVerified: z.boolean().default(false),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  enabled: z.boolean().default(false),
  attributes: z.record(z.string(), z.array(z.string())).default({}),
  credentials: z
    .array(
      z.object({
        type: z.string(),
        secretData: z.string().default('{}'),
        credentialData: z.string().default('{}'),
      }),
    )
    .default([]),
  requiredActions: texts,
  realmRoles: texts,
  groups: texts,
  federatedIdentities: z.array(z.object({ identityProvider: z.string(), userId: z.string() })).default([]),
  federationLink: z.string().optional(),
})
type KeycloakUser = z.infer<typeof userSchema>

const realmSchema = z.object({ users: z.array(z.unknown()) })

export function readKeycloak(document: unknown): UserExport | null {
  const realm = realmSchema.safeParse(document).data
  return realm === undefined ? null : readUserList(realm.users, { schema: userSchema, read: readUser })
}

function readUser(user: KeycloakUser, place: string): ImportedUser {
  const { claims, notes } = acceptedClaims(claimsOf(user))
  const { passwordHash, notes: ofHash } = acceptedHash(hashOf(user))
  const { id: sub, username, enabled, requiredActions, federatedIdentities } = user
  return {
    place,
    document: { sub, username, enabled, claims },
    passwordHash,
    mustChangePassword: passwordHash !== null && requiredActions.includes('UPDATE_PASSWORD'),
    logins: federatedIdentities.map(({ identityProvider: provider, userId: externalSubject }) => ({
      provider,
      externalSubject,
    })),
    notes: [...notes, ...ofHash, ...notesAbout(user)],
  }
}

/** The attributes that Keycloak's own mappers send as standard claims. */
const attributeClaims: Readonly<Record<string, string>> = {
  nickname: 'nickname',
  picture: 'picture',
  website: 'website',
  gender: 'gender',
  birthdate: 'birthdate',
  zoneinfo: 'zoneinfo',
  locale: 'locale',
  phoneNumber: 'phone_number',
}

/** Roles that each user of a realm has, and that give no rights. */
const ownRoles = /^(?:default-roles-.*|offline_access|uma_authorization)$/

function claimsOf({ username, email, emailVerified, firstName, lastName, ...user }: KeycloakUser) {
  const attributes = Object.entries(attributeClaims).map(([name, claim]) => [
    claim,
    user.attributes[name]?.[0],
  ])
  const roles = user.realmRoles.filter(role => !ownRoles.test(role))
  return {
    ...Object.fromEntries(attributes),
    preferred_username: username,
    name: joinedName(firstName, lastName),
    given_name: firstName,
    family_name: lastName,
    email,
    email_verified: email === undefined ? undefined : emailVerified,
    role: roles.length === 0 ? undefined : roles,
    groups: user.groups.length === 0 ? undefined : user.groups,
  }
}

const secretSchema = z.object({ value: z.string(), salt: z.string() })
const parametersSchema = z.object({
  algorithm: z.string().default(''),
  hashIterations: z.number().default(0),
  additionalParameters: z.record(z.string(), z.array(z.string())).default({}),
})

function hashOf({ credentials }: KeycloakUser) {
  const password = credentials.find(({ type }) => type === 'password')
  if (password === undefined) return null
  const secret = secretSchema.safeParse(parseJson(password.secretData)).data
  const parameters = parametersSchema.safeParse(parseJson(password.credentialData)).data
  if (secret === undefined || parameters === undefined) return { problem: 'has no readable secretData' }
  const { algorithm, hashIterations: iterations, additionalParameters: additional } = parameters
  const hash: KeycloakHash = { algorithm, iterations, additional, ...secret }
  return readKeycloakHash(hash)
}

function notesAbout({ credentials, attributes, federationLink }: KeycloakUser): readonly Note[] {
  const others = Object.keys(attributes).filter(name => attributeClaims[name] === undefined)
  return [
    ...others.map(name => note('changed', `attributes ${name}`, 'is left out: it is not a standard claim')),
    ...(credentials.some(({ type }) => type !== 'password')
      ? [note('changed', 'credentials', noSecondFactor)]
      : []),
    ...(federationLink === undefined
      ? []
      : [note('changed', 'federationLink', 'has the password in a directory')]),
  ]
}
