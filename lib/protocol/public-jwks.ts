/** A client's own key set. Public halves only: a private key in it is a mistake that must be said. */
import { z } from 'zod'

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']

/** RFC 7517 5. */
export const publicJwksSchema = z.strictObject({
  keys: z
    .array(
      z
        .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })
        .refine(
          key => !privateMembers.some(member => member in key),
          'must not contain private key material',
        ),
    )
    .max(20),
})
