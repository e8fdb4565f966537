/** The responses of browsers (Web Authentication Level 3, 5.1): JSON in a field of a form. */
import { z } from 'zod'

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/)
const credential = { id: base64url, rawId: base64url, type: z.literal('public-key') } as const

const assertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
})

const attestationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .optional(),
  }),
  clientExtensionResults: z
    .object({ credProps: z.object({ rk: z.boolean().optional() }).optional() })
    .optional(),
})

/** Reads the response of a passkey that was used; `null` if it is not one. */
export function readAssertion(json: string): z.infer<typeof assertionSchema> | null {
  return assertionSchema.safeParse(parsed(json)).data ?? null
}

/** Reads the response about a new passkey; `null` if it is not one. */
export function readAttestation(json: string): z.infer<typeof attestationSchema> | null {
  return attestationSchema.safeParse(parsed(json)).data ?? null
}

/** Whether a page of another origin had framed the page of the response, which no page of this server allows (WF-05). */
export function isFramed(clientDataJson: string): boolean {
  const clientData = z
    .object({ crossOrigin: z.boolean().optional() })
    .safeParse(parsed(Buffer.from(clientDataJson, 'base64url').toString()))
  return clientData.data?.crossOrigin === true
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
