/** A user as an operator writes them. */
import { z } from 'zod'
import { claimLimits, passwordCharacters } from '#lib/config/limits.ts'
import { claimsProblem, reservedClaims } from './claims.ts'
import { subjectIdSchema } from './ids.ts'
import { displayTextSchema, strictFields } from './metadata-fields.ts'

export const userRecordSchema = strictFields('user field', {
  username: displayTextSchema(255).refine(name => name.trim() === name, 'must not begin or end with a blank'),
  password: z
    .string()
    .min(passwordCharacters.minimum, `must have at least ${passwordCharacters.minimum} characters`)
    .refine(text => Buffer.byteLength(text) <= passwordCharacters.maximumBytes, 'is too long')
    .refine(text => text.isWellFormed(), 'must be valid Unicode')
    .optional()
    .describe('Stored as an Argon2id hash. Without one the user cannot sign in with a password.'),
  sub: subjectIdSchema
    .optional()
    .describe('Identifies the user to apps, permanently. Default: generated at random and kept.'),
  enabled: z.boolean().default(true),
  claims: z
    .record(z.string().min(1).max(250), z.json())
    .superRefine((claims, context) => {
      for (const name of Object.keys(claims).filter(claim => reservedClaims.has(claim))) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `"${name}" is set by the server and cannot be given`,
        })
      }
      const problem = claimsProblem(claims, claimLimits.userBytes)
      if (problem !== null) context.addIssue({ code: 'custom', message: problem })
    })
    .default({})
    .describe('Any JSON, for example `"name": "Alice"` or `"role": ["admin"]`.'),
})

export type UserRecord = z.output<typeof userRecordSchema>
