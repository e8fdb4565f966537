/** What a client may do that today's standards advise against, although it is supported for the apps that still need it. */
import { type Client, isPublic } from './client.ts'

export const legacySwitches = [
  'password_grant',
  'implicit_tokens',
  'plain_proof_key',
  'optional_proof_key',
  'reused_refresh_tokens',
] as const

export type LegacySwitch = (typeof legacySwitches)[number]

const isOn: Readonly<Record<LegacySwitch, (client: Client) => boolean>> = {
  // RFC 9700 2.4
  password_grant: ({ grantTypes }) => grantTypes.includes('password'),
  // RFC 9700 2.1.2
  implicit_tokens: ({ responseTypes }) => responseTypes.some(type => type.split(' ').includes('token')),
  // RFC 9700 2.1.1: the challenge must not show the verifier
  plain_proof_key: client => usesCodes(client) && client.pkce === 'required',
  optional_proof_key: client => usesCodes(client) && client.pkce === 'optional',
  // RFC 9700 4.14.2: of public clients
  reused_refresh_tokens: client =>
    isPublic(client) && client.grantTypes.includes('refresh_token') && client.refreshTokenUsage === 'reuse',
}

export function legacySwitchesOf(client: Client): readonly LegacySwitch[] {
  return legacySwitches.filter(name => isOn[name](client))
}

function usesCodes({ grantTypes }: Client): boolean {
  return grantTypes.includes('authorization_code')
}
