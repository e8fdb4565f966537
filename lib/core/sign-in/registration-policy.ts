/** Whether users can create accounts themselves, by the policies of the site and what the server can do. */
import type { Checks } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Policies } from '#lib/protocol/registration/policies.ts'
import type { Prompt } from '#lib/protocol/vocabulary.ts'

type RegistrationPorts = Pick<Ports, 'policies' | 'userService' | 'settings' | 'mail'>

/** Whether anyone can create an account: the sign-in page then has a link to the page, and clients can send `prompt=create`. */
export async function isRegistrationOpen(ports: RegistrationPorts): Promise<boolean> {
  const policies = await ports.policies.current()
  if (policies.registration !== 'open' || !supportsRegistration(ports)) return false
  return ports.mail.kind !== 'off' || !verifiesFirst(policies)
}

/**
 * OpenID Connect Prompt Create 1.0, 4.1: refuses `prompt=create` while users cannot create accounts. Called only for a new
 * request: a user who has begun may finish.
 */
export async function requireOpenRegistration(
  ports: RegistrationPorts,
  { prompts }: { readonly prompts: readonly Prompt[] },
  checks: Checks,
): Promise<void> {
  if (!prompts.includes('create') || (await isRegistrationOpen(ports))) return
  checks.begin('prompt_valid')
  throw new OauthError('prompt_create_closed')
}

/** Whether accounts with a password can be created on this server, and the user service can do that. */
export function supportsRegistration({
  userService,
  settings,
}: Pick<RegistrationPorts, 'userService' | 'settings'>): boolean {
  return settings.localLogin && userService.registration !== undefined
}

/**
 * Whether an account begins to exist when its address is verified. An address that is the user name is always verified first:
 * otherwise a stranger could take the name of its owner.
 */
export function verifiesFirst({
  email_verification,
  email_as_username,
}: Pick<Policies, 'email_verification' | 'email_as_username'>): boolean {
  return email_verification === 'before_sign_in' || email_as_username
}
