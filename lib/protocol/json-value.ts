/** Any JSON, as our own read-only type. */
import { z } from 'zod'
import type { JsonValue } from './claims.ts'

export const jsonValueSchema: z.ZodType<JsonValue> = z.json()
