/** Invites the users of a CSV file: shows first what would be sent, then sends it. */
import { z } from 'zod'
import { userInvitation as limits } from '#lib/config/limits.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { type CsvRow, readCsv } from '#lib/protocol/text/csv-text.ts'
import { unknownName } from '#lib/protocol/text/similar-names.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, errorFor, type FieldError, fieldErrors, invalid, ok } from '../admin-result.ts'
import { type AdminCall, commit, defineUseCase } from '../use-case.ts'
import { claimsSchema } from '../users/user-resource.ts'
import {
  auditOf,
  claimErrors,
  claimsOf,
  type Invitee,
  inviteeShape,
  languageSchema,
  mailAddressSchema,
  makeInvitation,
  type Presence,
  presenceOf,
  reasonAgainstInviting,
  waySchema,
} from './invitee.ts'

const inputSchema = z.object({
  csv: z
    .string()
    .max(limits.csvCharacters)
    .describe(
      'A file with a line of headings: `email`, and `name`, `role`, `groups` and `language` if wanted. Several roles or groups of a user are separated by `|`.',
    ),
  locale: languageSchema.default('en').describe('The language of mails to users whose line has none.'),
  way: waySchema.default('mail'),
})

type Input = z.output<typeof inputSchema>

const presences = ['new', 'has_account', 'invited'] as const satisfies readonly Presence[]

export const invitedRowSchema = z.object({
  line: z.number(),
  email: z.string(),
  claims: claimsSchema,
  locale: z.string(),
  presence: z.enum(presences).describe('Only users with `new` are invited.'),
})
export type InvitedRow = z.output<typeof invitedRowSchema>

export const previewInvitations = defineUseCase({
  name: 'user_invitations.preview',
  permission: 'users:create',
  summary: 'Reads a CSV file with users to invite, lists them or all errors, and sends nothing.',
  changesNothing: true,
  isShownOnce: true,
  input: inputSchema,
  output: inputSchema.extend({ rows: z.array(invitedRowSchema) }),
  api: { method: 'POST', path: '/user-invitations/preview' },
  run: async (ports, input, call) => {
    const rows = await readRows(ports, input, call.now)
    return rows.kind === 'ok' ? ok({ ...input, rows: [...rows.value] }) : rows
  },
})

export const inviteSeveral = defineUseCase({
  name: 'user_invitations.create_several',
  permission: 'users:create',
  summary: 'Invites the users of a CSV file who have no account and no open invitation; all of them or none.',
  done: 'Users invited.',
  isSensitive: true,
  isShownOnce: true,
  input: inputSchema,
  output: z.object({
    invited: z.array(z.object({ email: z.string(), link: z.string().nullable() })),
    skipped: z.number(),
  }),
  validate: async (ports, raw, now) => {
    const read = inputSchema.safeParse(raw)
    const rows = read.success ? await readRows(ports, read.data, now) : null
    return rows?.kind === 'invalid' ? rows.errors : []
  },
  api: { method: 'POST', path: '/user-invitations/batch', status: 201 },
  run: async (ports, input, call) => {
    const rows = await readRows(ports, input, call.now)
    if (rows.kind !== 'ok') return rows
    const invitees = rows.value.filter(({ presence }) => presence === 'new')
    const skipped = rows.value.length - invitees.length
    if (invitees.length === 0) return invalid('csv', 'All of these users have an account or an invitation.')
    return store(ports, { invitees, skipped, way: input.way }, call)
  },
})

type Batch = {
  readonly invitees: readonly InvitedRow[]
  readonly skipped: number
  readonly way: Input['way']
}

async function store(ports: AdminPorts, { invitees, skipped, way }: Batch, call: AdminCall) {
  const { now, actor } = call
  const made = invitees.map(row => makeInvitation(ports, row, { way, createdBy: actor.subject, now }))
  const change = {
    writes: [
      { kind: 'put_user_invitations', invitations: made.map(({ invitation }) => invitation) },
      { kind: 'deliver', deliveries: made.flatMap(({ mails }) => mails) },
    ],
    audit: made.map(({ invitation }) => auditOf(call, invitation, { before: false, after: true })),
  } as const
  const invited = made.map(({ invitation, link }) => ({ email: invitation.email ?? '', link }))
  return commit(ports, change, { now, value: { invited, skipped } })
}

/** Reads the users of a file, or returns all errors, each with its line. */
async function readRows(
  ports: AdminPorts,
  { csv, locale, way }: Input,
  now: Date,
): Promise<AdminResult<readonly InvitedRow[]>> {
  const reason = await reasonAgainstInviting(ports, way)
  if (reason !== null) return invalid('', reason)
  const read = readCsv(csv)
  if (read.kind === 'fault') return { kind: 'invalid', errors: atLine(read.line, read.problem) }
  const [heading, ...rows] = read.rows
  if (heading === undefined || rows.length === 0)
    return invalid('csv', 'Enter a line of headings such as "email,name", then a line for each user.')
  if (rows.length > limits.mostRows)
    return invalid('csv', `A file can have ${limits.mostRows} users at most.`)
  const columns = heading.cells.map(cell => cell.toLowerCase())
  const headingErrors = errorsOfHeading(heading, columns)
  if (headingErrors.length > 0) return { kind: 'invalid', errors: headingErrors }
  const entries = rows.map(row => entryOf(row, { columns, locale }))
  const errors = [...entries.flatMap(entry => entry.errors), ...repeatedErrors(entries)]
  if (errors.length > 0) return { kind: 'invalid', errors: errors.toSorted(byLine) }
  const presence = await presenceOf(
    ports,
    entries.map(({ invitee }) => invitee.email),
    now,
  )
  return ok(
    entries.map(({ line, invitee }) => ({
      line,
      ...invitee,
      presence: presence.get(invitee.email) ?? 'new',
    })),
  )
}

/** A limit before the comparison of each column with all others. */
const mostColumns = 20

const knownColumns = ['email', 'name', 'role', 'groups', 'language'] as const

function errorsOfHeading({ line, cells }: CsvRow, columns: readonly string[]): readonly FieldError[] {
  if (columns.length > mostColumns) return atLine(line, `There are more than ${mostColumns} columns.`)
  const unknown = columns.flatMap((column, index) =>
    knownColumns.some(known => known === column)
      ? []
      : atLine(line, unknownName(cells[index] ?? '', 'column', [...knownColumns])),
  )
  const repeated = columns.filter((column, index) => columns.indexOf(column) < index)
  return [
    ...unknown,
    ...repeated.flatMap(column => atLine(line, `There are two columns "${column}".`)),
    ...(columns.includes('email') ? [] : atLine(line, 'There is no column "email".')),
  ]
}

type Entry = {
  readonly line: number
  readonly invitee: Invitee & { readonly email: string }
  readonly errors: readonly FieldError[]
}

function entryOf(
  { line, cells }: CsvRow,
  { columns, locale }: { readonly columns: readonly string[]; readonly locale: string },
): Entry {
  const cell = (name: (typeof knownColumns)[number]) => cells[columns.indexOf(name)] ?? ''
  const several = (name: 'role' | 'groups') =>
    cell(name)
      .split('|')
      .flatMap(part => part.trim() || [])
  const claims = claimsOf({ name: cell('name'), role: several('role'), groups: several('groups') })
  const read = entrySchema.safeParse(
    { email: cell('email'), claims, locale: cell('language') || locale },
    { error: plainMessage },
  )
  const found = read.success ? claimErrors(claims) : fieldErrors(read.error)
  const extra = cells.length > columns.length ? ['There are more cells than headings.'] : []
  const problems = [...extra, ...found.map(({ path, message }) => messageAt(path, message))]
  return {
    line,
    invitee: read.data ?? { email: cell('email'), claims, locale },
    errors: problems.flatMap(problem => atLine(line, problem)),
  }
}

const entrySchema = z.object({ ...inviteeShape, email: mailAddressSchema })

function messageAt(path: string, message: string): string {
  const name = path.replace(/^claims\./, '').replace('locale', 'language')
  return name === '' ? message : `${name}: ${message}`
}

/** Errors for addresses that are in an earlier line. Case does not matter. */
function repeatedErrors(entries: readonly Entry[]): readonly FieldError[] {
  const first = new Map<string, number>()
  return entries.flatMap(({ line, invitee: { email } }) => {
    const earlier = first.get(email.toLowerCase())
    if (earlier !== undefined) return atLine(line, `${email} is in line ${earlier} already.`)
    first.set(email.toLowerCase(), line)
    return []
  })
}

/** An error in a line of the file, which the form names. */
function atLine(line: number, problem: string): readonly FieldError[] {
  return errorFor(`csv.${line - 1}`, problem)
}

function byLine(left: FieldError, right: FieldError): number {
  return Number(left.path.split('.')[1]) - Number(right.path.split('.')[1])
}
