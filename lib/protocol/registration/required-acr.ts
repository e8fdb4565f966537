/** The field of a client with the level of assurance that it requires. */
import { z } from 'zod'
import { supportedAcrValues } from '../acr-values.ts'
import { described } from './fields.ts'

export function requiredAcr(group: string) {
  return described(z.enum(supportedAcrValues).nullable().default(null), {
    group,
    label: 'Required sign-in',
    help: 'The least that its users must prove. Users without a second factor set one up when they sign in to it.',
    choices: {
      'urn:latchkey:pwd': 'One factor',
      'urn:latchkey:mfa': 'Two factors',
      'urn:latchkey:passkey': 'A passkey',
      phr: 'A passkey, named phr in ID tokens',
    },
    absent: 'what the request asks for',
  })
}
