/** The five kinds of client that people register; each has its own right defaults. */
import { z } from 'zod'

export const clientKinds = ['web', 'spa', 'native', 'machine', 'legacy'] as const

export const clientKindSchema = z.enum(clientKinds)
export type ClientKind = z.infer<typeof clientKindSchema>
