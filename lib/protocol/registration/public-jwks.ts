import { z } from 'zod'

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']

/** The public keys of a client (RFC 7517 5). Private keys are refused: a client must not send them. */
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
