/** The account that an invited user creates. */
import { z } from 'zod'
import type { StoredUser } from '#lib/ports/users.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { displayTextSchema } from '#lib/protocol/registration/fields.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { FieldError } from '../admin-result.ts'
import { fieldErrors, fieldSentence } from '../field-errors.ts'

const nameSchema = z.string().trim().pipe(displayTextSchema(255))
const accountSchema = z.object({ username: nameSchema, name: nameSchema, password: z.string() })

/** As typed. */
export type Account = z.input<typeof accountSchema>

export type Newcomer = { readonly subject: SubjectId; readonly newUser: StoredUser | null }

export const accountTaken: FieldError = {
  path: 'username',
  message: 'This user name is taken.',
}

/** All problems together, each at its field. */
export async function newAccount(
  ports: AdminPorts,
  account: Account,
): Promise<Newcomer | { readonly errors: readonly FieldError[] }> {
  const read = accountSchema.safeParse(account, { error: plainMessage })
  const errors = [...(read.success ? [] : fieldErrors(read.error)), ...(await storeErrors(ports, account))]
  if (!read.success || errors.length > 0) return { errors }
  const { username, name, password } = read.data
  const subject = subjectIdSchema.parse(ports.random.id())
  const passwordHash = await ports.passwords.hash(password)
  const chosen = { passwordHash, mustChangePassword: false }
  return { subject, newUser: { subject, username, ...chosen, enabled: true, claims: { name } } }
}

async function storeErrors(
  { passwordProblem, users }: AdminPorts,
  { username, name, password }: Account,
): Promise<readonly FieldError[]> {
  const problem = await passwordProblem(password, [username, name])
  const isTaken = username.trim() !== '' && (await users.findByUsername(username)) !== null
  return [
    ...(problem === null ? [] : [{ path: 'password', message: fieldSentence(problem) }]),
    ...(isTaken ? [accountTaken] : []),
  ]
}
