/**
 * A custom grant: devices without a screen trade an activation code, printed on their box, for tokens.
 *
 * A client may use it when its `grant_types` contain the name below:
 *
 *     POST /connect/token
 *     grant_type=urn:example:activation-code&activation_code=…&scope=api offline_access
 *
 * Latchkey has already authenticated the client, checked that it may use this grant and these scopes, and will ask
 * the user service whether the user is active. This grant finds the user of the code.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { CustomGrant, CustomGrantOutcome, Extensions, TokenErrorCode } from '#lib/ports/extensions.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'

/** An unused code: its SHA-256, its user, and the device model. Replace the list with a database table. */
type Activation = { readonly codeDigest: Buffer; readonly subject: SubjectId; readonly model: string }

/** The grant. `activations` are removed when they are used; several nodes must share them. */
export function activationCodeGrant(activations: Activation[]): CustomGrant {
  return {
    grantType: 'urn:example:activation-code',
    async validate({ parameters }) {
      const code = parameters.one('activation_code')
      if (code === null) return refused('activation_code is missing.', 'invalid_request')
      const activation = take(activations, digestOf(code))
      return activation === null ? refused('activation_code is wrong or was used.') : granted(activation)
    },
  }
}

export function digestOf(code: string): Buffer {
  return createHash('sha256').update(code.trim().toUpperCase()).digest()
}

// Finds and removes without an await in between, so that a code works once, however many requests use it at the same time
function take(activations: Activation[], codeDigest: Buffer): Activation | null {
  const index = activations.findIndex(activation => timingSafeEqual(activation.codeDigest, codeDigest))
  return activations.splice(index, index < 0 ? 0 : 1)[0] ?? null
}

/** The `amr` shows APIs that no password was used; `device_model` becomes a claim of the access token. */
function granted({ subject, model }: Activation): CustomGrantOutcome {
  return { kind: 'granted', subject, amr: ['activation_code'], claims: { device_model: model } }
}

function refused(description: string, error: TokenErrorCode = 'invalid_grant'): CustomGrantOutcome {
  return { kind: 'refused', error, description }
}

const extensions: Extensions = {
  customGrants: [
    activationCodeGrant([
      { codeDigest: digestOf('LAMP-1234'), subject: subjectIdSchema.parse('alice'), model: 'lamp' },
    ]),
  ],
}
export default extensions
