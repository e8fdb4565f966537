/** The OpenAPI 3.1 document, generated from the schemas of the use cases. */

import { z } from 'zod'
import { adminScope } from '#lib/protocol/admin-role.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { apiRoot } from './root.ts'
import { type ServedUseCase, servedUseCases } from './routes.ts'

type Schema = z.core.JSONSchema.BaseSchema
type Described = Readonly<Record<string, unknown>>

/** Documents by issuer. Each is generated only once, because that is slow and anyone may request the document. */
const made = new Map<string, JsonValue>()

/** The OpenAPI document of the server with this issuer. */
export function openapiDocument(issuer: string): JsonValue {
  const document = made.get(issuer) ?? describe(issuer)
  made.set(issuer, document)
  return document
}

function describe(issuer: string): JsonValue {
  const paths: Record<string, Record<string, Described>> = {}
  for (const useCase of servedUseCases) {
    const path = paths[useCase.api.path] ?? {}
    path[useCase.api.method.toLowerCase()] = operation(useCase)
    paths[useCase.api.path] = path
  }
  return JSON.parse(JSON.stringify({ ...head(issuer), paths }), withoutLocalSchemas)
}

/**
 * NOTE: zod places recursive schemas next to each use, where references from the document's root do not reach. All of them mean
 * any JSON.
 */
function withoutLocalSchemas(name: string, value: unknown): unknown {
  if (name === '$defs') return undefined
  return value === '#/$defs/__schema0' ? '#/components/schemas/Json' : value
}

function head(issuer: string): Described {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Latchkey Admin API',
      version: '1',
      description: [
        'The use cases of the dashboard, for scripts. Get a token with the scope',
        `\`${adminScope}\` from the token endpoint; the user or client of the token must be an administrator.`,
        'Changes of versioned objects require the ETag that was read as If-Match.',
        'Refusals are problem details (RFC 9457).',
      ].join(' '),
    },
    servers: [{ url: ownUrl(issuer, apiRoot) }],
    security: [{ token: [adminScope] }],
    components: {
      securitySchemes: { token: securityScheme(issuer) },
      schemas: { Json: { description: 'Any JSON.' } },
      responses: { Problem: problemResponse },
    },
  }
}

function securityScheme(issuer: string): Described {
  const scopes = { [adminScope]: 'Administer this service' }
  return {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: ownUrl(issuer, '/connect/token'), scopes } },
  }
}

const text = { type: 'string' }
const problemResponse = {
  description: 'The problem.',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        required: ['type', 'title', 'status', 'detail', 'instance'],
        properties: {
          type: text,
          title: text,
          status: { type: 'integer' },
          detail: text,
          instance: text,
          errors: {
            type: 'array',
            items: {
              type: 'object',
              required: ['pointer', 'detail'],
              properties: { pointer: text, detail: text },
            },
          },
          current: { description: 'For 412: the current state in the format of the input.' },
        },
      },
    },
  },
}

function operation(useCase: ServedUseCase): Described {
  const { name, summary, api, permission, output } = useCase
  const fields = inputFields(useCase)
  const inPath = [...api.path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field)
  const others = Object.keys(fields.properties).filter(
    field => !inPath.includes(field) && field !== 'version',
  )
  const inQuery = api.method === 'GET' || api.method === 'DELETE' ? others : []
  const parameters = [
    ...inPath.map(field => parameter(field, 'path', fields)),
    ...inQuery.map(field => parameter(field, 'query', fields)),
    ...('version' in fields.properties ? [ifMatch] : []),
  ]
  const body = api.method === 'GET' || api.method === 'DELETE' ? {} : { requestBody: bodyOf(others, fields) }
  const schema = jsonSchema(output, 'output')
  const answer = {
    description: 'Done.',
    ...(isVersioned(schema) ? { headers: { ETag: etag } } : {}),
    content: { 'application/json': { schema } },
  }
  return {
    operationId: name.replaceAll('.', '_'),
    summary,
    tags: [name.split('.')[0]],
    'x-permission': permission,
    parameters,
    ...body,
    responses: { [api.status ?? 200]: answer, default: { $ref: '#/components/responses/Problem' } },
  }
}

const etag = { description: 'The version, for If-Match.', schema: text }

function isVersioned({ properties = {} }: Schema): boolean {
  return 'version' in properties
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The ETag that was read.',
  schema: text,
}

type Fields = { readonly properties: Readonly<Record<string, unknown>>; readonly required: readonly string[] }

const fieldsRead = new Map<string, Fields>()

/** The input fields of a use case as the API describes them. They are generated once, because that is slow. */
export function inputFields({ name, input }: Pick<ServedUseCase, 'name' | 'input'>): Fields {
  const known = fieldsRead.get(name)
  if (known !== undefined) return known
  const { properties = {}, required = [] } = jsonSchema(input, 'input')
  fieldsRead.set(name, { properties, required })
  return { properties, required }
}

function parameter(field: string, place: 'path' | 'query', { properties, required }: Fields): Described {
  return {
    name: field,
    in: place,
    required: place === 'path' || required.includes(field),
    schema: properties[field],
  }
}

function bodyOf(fields: readonly string[], { properties, required }: Fields): Described {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field, properties[field]])),
    required: fields.filter(field => required.includes(field)),
  }
  return { required: schema.required.length > 0, content: { 'application/json': { schema } } }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  })
  return rest
}
