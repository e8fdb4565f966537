/** The policies of the site in the dashboard and its API: reads, previews, changes and restores them. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Versioned } from '#lib/ports/admin-lists.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import {
  defaultPolicies,
  type Policies,
  policiesId,
  policiesSchema,
  policyFields,
} from '#lib/protocol/registration/policies.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, type FieldError, invalid, ok } from '../admin-result.ts'
import { compareDocuments } from '../configuration/compare-documents.ts'
import { policiesDocument } from '../configuration/export-configuration.ts'
import { findVersion } from '../configuration/history.ts'
import { versionSchema } from '../resource/resource.ts'
import { settingForm } from '../setting-form.ts'
import { type AdminCall, commit, defineUseCase, type FormFields, type UseCase } from '../use-case.ts'
import { consequencesOf, policyErrors } from './consequences.ts'

/** The form of the policies, which follows from their schema. */
export const policyForm = settingForm(policyFields, {}, () => null)

const inputSchema = policiesSchema.strip()

const viewSchema = z.object({
  ...inputSchema.shape,
  version: z.number().describe('0: no one has set the policies; they are those of a new site.'),
  updated_at: z.string().nullable(),
})
export type PoliciesView = z.output<typeof viewSchema>

export const readPolicies = defineUseCase({
  name: 'policies.read',
  permission: 'policies:read',
  summary: 'Reads the policies of the site.',
  input: z.object({}),
  output: viewSchema,
  api: { method: 'GET', path: '/policies' },
  run: async ports => ok(viewOf(await ports.adminLists.policies())),
})

const sharedSchema = z.object({
  email: z.string(),
  users: z.array(z.object({ sub: z.string(), username: z.string() })),
})

export const listSharedAddresses = defineUseCase({
  name: 'policies.list_shared_addresses',
  permission: 'users:read',
  summary: `Lists the first ${adminList.found} addresses that name several users; \`email_as_username\` can be turned on once there are none.`,
  input: z.object({}),
  output: z.object({ items: z.array(sharedSchema) }),
  api: { method: 'GET', path: '/policies/shared-addresses' },
  run: async ({ adminLists }) => {
    const found = await adminLists.sharedAddresses(adminList.found)
    const items = found.map(({ email, users }) => ({
      email,
      users: users.map(({ subject, username }) => ({ sub: subject, username })),
    }))
    return ok({ items })
  },
})

export const previewPolicies = defineUseCase({
  name: 'policies.preview',
  permission: 'policies:update',
  summary: 'Lists what a change of the policies would do, and changes nothing.',
  changesNothing: true,
  isShownOnce: true,
  input: inputSchema,
  output: z.object({
    policies: inputSchema,
    differences: z.array(
      z.object({ field: z.string(), before: jsonValueSchema.optional(), after: jsonValueSchema.optional() }),
    ),
    consequences: z.array(z.string()),
  }),
  fromForm: policiesFromForm,
  validate: (ports, raw) => errorsIn(ports, raw),
  api: { method: 'POST', path: '/policies/preview' },
  run: async (ports, policies) => {
    const errors = await policyErrors(ports, policies)
    if (errors.length > 0) return { kind: 'invalid', errors }
    const before = (await ports.adminLists.policies()) ?? defaultPolicies
    const differences = compareDocuments(policiesDocument(before), policiesDocument(policies))
    const consequences = await consequencesOf(ports, { before, after: policies })
    return ok({
      policies,
      differences: differences.map(each => ({ ...each })),
      consequences: [...consequences],
    })
  },
})

export const updatePolicies = defineUseCase({
  name: 'policies.update',
  permission: 'policies:update',
  summary: 'Replaces the policies. A field that is left out gets its default.',
  done: 'Policies saved. They are in force on every node.',
  isSensitive: true,
  input: inputSchema.extend({ version: versionSchema }),
  output: viewSchema,
  fromForm: policiesFromForm,
  validate: (ports, raw) => errorsIn(ports, raw),
  api: { method: 'PUT', path: '/policies' },
  run: (ports, { version, ...policies }, call) => storePolicies(ports, { version, policies }, call),
})

export const restorePolicies = defineUseCase({
  name: 'policies.restore',
  permission: 'policies:update',
  summary: 'Restores the policies as they were after an earlier change.',
  done: 'Version restored.',
  isSensitive: true,
  input: z.object({ version: versionSchema, seq: z.coerce.number().int().positive() }),
  output: viewSchema,
  api: { method: 'POST', path: '/policies/restore' },
  run: async (ports, { version, seq }, call) => {
    const earlier = await findVersion(ports, { kind: 'policies', id: policiesId, seq })
    const read = policiesSchema.safeParse(earlier)
    if (!read.success) return invalid('seq', 'This change left no version that can be restored.')
    return storePolicies(ports, { version, policies: read.data }, call)
  },
})

export const policyUseCases: readonly UseCase[] = [
  readPolicies,
  listSharedAddresses,
  previewPolicies,
  updatePolicies,
  restorePolicies,
]

type Proposal = { readonly version: number; readonly policies: Policies }

/** Stores the policies with their audit row, if the stored version is still the one that the admin saw. */
async function storePolicies(
  ports: AdminPorts,
  { version, policies: record }: Proposal,
  { entry, now }: AdminCall,
): Promise<AdminResult<PoliciesView>> {
  const errors = await policyErrors(ports, record)
  if (errors.length > 0) return { kind: 'invalid', errors }
  const stored = await ports.adminLists.policies()
  const before = stored && policiesDocument(stored)
  const audit = entry({ kind: 'policies', id: policiesId, before, after: policiesDocument(record) })
  const put = { kind: 'put', of: 'policies', record, expectedVersion: version } as const
  const result = await commit(
    ports,
    { writes: [put], audit: [audit] },
    { now, value: null, current: async () => ({ ...viewOf(await ports.adminLists.policies()) }) },
  )
  return result.kind === 'ok' ? ok(viewOf(await ports.adminLists.policies())) : result
}

function viewOf(stored: Versioned<Policies> | null): PoliciesView {
  if (stored === null) return { ...defaultPolicies, version: 0, updated_at: null }
  const { version, createdAt: _createdAt, updatedAt, ...policies } = stored
  return { ...policies, version, updated_at: updatedAt.toISOString() }
}

function policiesFromForm({ version, ...fields }: FormFields): unknown {
  // Without a ticked box, the list would become its default, which is all claims
  const isEmptied = fields.profile_fields?.every(text => text === '') ?? false
  const emptied = isEmptied ? { profile_fields: [] } : {}
  return { ...policyForm.documentOf(fields), ...emptied, version: version?.at(-1) }
}

/** The errors that a valid document has, to be shown together with those of other fields. */
async function errorsIn(ports: AdminPorts, raw: unknown): Promise<readonly FieldError[]> {
  const read = inputSchema.safeParse(raw)
  return read.success ? policyErrors(ports, read.data) : []
}
