/** Loads the file that `LATCHKEY_EXTENSIONS` names. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { signInFields } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Extensions } from '#lib/ports/extensions.ts'

const method = z.custom<(...given: never[]) => unknown>(value => typeof value === 'function')

const label = z.string().trim().min(1).max(signInFields.labelCharacters)

const signInField = z.strictObject({
  name: z.string().regex(/^[a-z][A-Za-z0-9_]{0,39}$/),
  label: label.or(z.record(z.string(), label).refine(({ en }) => en !== undefined)),
  type: z.enum(['text', 'email', 'tel', 'number', 'password']).optional(),
  required: z.boolean().optional(),
})

/** The members of an extensions file: the schema of each, and its description for error messages. */
const members: Readonly<Record<keyof Extensions, readonly [schema: z.ZodType, shape: string]>> = {
  userService: [method, 'a function (users, standard) => UserService'],
  legacyVerify: [method, 'a function (credentials) => Promise<LegacyUser | null>'],
  customGrants: [
    z.array(z.looseObject({ grantType: z.string().min(1), validate: method })),
    'an array of { grantType, validate }',
  ],
  tokenClaims: [z.array(z.looseObject({ claimsFor: method })), 'an array of { claimsFor }'],
  signInFields: [
    z
      .array(signInField)
      .max(signInFields.most)
      .refine(fields => new Set(fields.map(({ name }) => name)).size === fields.length),
    `an array of at most ${signInFields.most} { name, label, type, required } with different names, such as { name: 'customer', label: 'Customer number', type: 'number', required: true }`,
  ],
  preAuthenticate: [method, 'a function (request) => Promise<PreAuthentication>'],
  postAuthenticate: [method, 'a function (request) => Promise<PostAuthentication>'],
  signOut: [method, 'a function (request) => Promise<void>'],
  validateRedirectUri: [method, 'a function (request) => Promise<boolean>'],
  validateAuthorizeRequest: [method, 'a function (request) => Promise<Validation>'],
  validateTokenRequest: [method, 'a function (request) => Promise<Validation>'],
  tokenResponse: [method, 'a function (request) => Promise<object>'],
  eventSinks: [z.array(z.looseObject({ record: method })), 'an array of { record }'],
}

/**
 * Loads the default export of the file and checks it. Throws a `ConfigError` when the file cannot be loaded or its
 * export is not valid.
 */
export async function loadExtensions(file: string | null): Promise<Extensions> {
  if (file === null) return {}
  const extensions = await importDefault(file)
  if (!isRecord(extensions))
    throw new ConfigError(`LATCHKEY_EXTENSIONS: ${file} must export an object as its default.`)
  for (const [name, value] of Object.entries(extensions)) requireMember(file, name, value)
  return extensions
}

async function importDefault(file: string): Promise<unknown> {
  try {
    // The bundler must not follow this import: the file belongs to the operator
    const loaded: unknown = await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ pathToFileURL(resolve(file)).href
    )
    return isRecord(loaded) ? loaded.default : undefined
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    const place = error instanceof SyntaxError ? await placeOfSyntaxError(file, error) : ''
    throw new ConfigError(`LATCHKEY_EXTENSIONS: ${file}${place} could not be loaded: ${cause}`)
  }
}

/**
 * Returns the place of a syntax error as `:line:column`: where esbuild finds it, or else where the stack of the error
 * says; an empty text if neither names a place.
 */
async function placeOfSyntaxError(file: string, { stack = '' }: SyntaxError): Promise<string> {
  const { transform } = await import('esbuild')
  const loader = /\.[cm]?ts$/.test(file) ? 'ts' : 'js'
  const failure: unknown = await transform(await readFile(file, 'utf8'), {
    loader,
    logLevel: 'silent',
  }).catch(caught => caught)
  const place = syntaxFailure.safeParse(failure).data?.errors[0].location
  if (place) return `:${place.line}:${place.column + 1}`
  const [, path, line, caret] = /^(.+):(\d+)\n.*\n( *)\^/.exec(stack) ?? []
  return path === resolve(file) ? `:${line}:${(caret ?? '').length + 1}` : ''
}

const syntaxFailure = z.object({
  errors: z
    .tuple([z.object({ location: z.object({ line: z.number(), column: z.number() }).nullable() })])
    .rest(z.unknown()),
})

function requireMember(file: string, name: string, value: unknown): void {
  if (!isMember(name)) {
    const known = Object.keys(members).join(', ')
    throw new ConfigError(
      `LATCHKEY_EXTENSIONS: ${file} exports the unknown member "${name}"; known are ${known}.`,
    )
  }
  const [schema, shape] = members[name]
  if (value === undefined || schema.safeParse(value).success) return
  throw new ConfigError(`LATCHKEY_EXTENSIONS: "${name}" in ${file} must be ${shape}.`)
}

function isMember(name: string): name is keyof Extensions {
  return Object.hasOwn(members, name)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
