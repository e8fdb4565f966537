/** Problems of a provider beyond its single fields: its name, its secret, and domains of other providers. */
import { z } from 'zod'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import { providerRecordSchema } from '#lib/protocol/registration/records.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { FieldError } from '../admin-result.ts'
import { errorFor, lenient } from '../field-errors.ts'
import { storedProvider } from './provider-view.ts'

const { shape } = providerRecordSchema
const wishSchema = z.object({
  scheme: lenient(shape.scheme),
  issuer: lenient(shape.issuer),
  client_secret: lenient(shape.client_secret),
  is_public: z.boolean().optional().catch(undefined),
  domains: lenient(z.array(z.string())),
})

/** As far as it can be read. */
export type ProviderWish = z.output<typeof wishSchema>

/** Those of a new one. */
export async function newProviderErrors(
  ports: AdminPorts,
  wish: ProviderWish,
): Promise<readonly FieldError[]> {
  const { scheme } = wish
  const isTaken = scheme !== undefined && (await storedProvider(ports, scheme)) !== null
  const taken = errorFor('scheme', isTaken ? `There is a provider "${scheme}" already.` : null)
  return [...taken, ...(await providerErrors(ports, null, wish))]
}

/** Those of one that is stored, or, where nothing is, of a new one. */
export async function providerErrors(
  ports: Pick<AdminPorts, 'adminLists'>,
  before: IdentityProvider | null,
  wish: ProviderWish,
): Promise<readonly FieldError[]> {
  return [...errorFor('client_secret', secretProblem(before, wish)), ...(await domainErrors(ports, wish))]
}

/** Those of a new one, of which something cannot be read. */
export async function validateNewProvider(ports: AdminPorts, raw: unknown): Promise<readonly FieldError[]> {
  const read = wishSchema.safeParse(raw)
  return read.success ? newProviderErrors(ports, read.data) : []
}

/** Those of one that is stored, likewise. */
export async function validateStoredProvider(
  ports: AdminPorts,
  raw: unknown,
): Promise<readonly FieldError[]> {
  const { data: wish } = wishSchema.safeParse(raw)
  const before = wish?.scheme === undefined ? null : await storedProvider(ports, wish.scheme)
  return wish === undefined || before === null ? [] : providerErrors(ports, before, wish)
}

function secretProblem(
  before: IdentityProvider | null,
  { client_secret: given, is_public: isPublic = false, issuer }: ProviderWish,
): string | null {
  const hasSecret = (given ?? null) !== null
  if (hasSecret && isPublic) return 'There is a secret, and the box says that there is none.'
  if (hasSecret || isPublic) return null
  if (before === null) return 'Enter the secret, or say that the provider gave none.'
  const moves = issuer !== undefined && before.issuer !== issuer && before.clientSecret !== null
  // Changing the issuer must not reveal the secret to the new issuer (AD-05).
  return moves ? 'The issuer has changed: enter the secret of the new issuer.' : null
}

/** A domain leads to one provider. */
async function domainErrors(
  { adminLists }: Pick<AdminPorts, 'adminLists'>,
  { scheme, domains = [] }: ProviderWish,
): Promise<readonly FieldError[]> {
  const others = (await adminLists.providers()).filter(other => other.scheme !== scheme)
  return domains.flatMap((domain, index) => {
    const owner = others.find(other => other.domains.includes(domain.toLowerCase()))
    if (owner === undefined) return []
    return errorFor(
      `domains.${index}`,
      `${domain} leads to "${owner.displayName}" (${owner.scheme}) already.`,
    )
  })
}
