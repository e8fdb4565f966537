/** Sets up tests of passkeys: a user with a passkey in a software authenticator. */
import assert from 'node:assert/strict'
import { context, issuer } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, SubjectId } from '#lib/protocol/ids.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { finishRegistration, registerOptions } from '../registration.ts'
import { createAuthenticator, type SoftAuthenticator } from './authenticator.ts'

type Owner = { readonly subject: SubjectId; readonly browser: BrowserHandle; readonly idp?: string }

/** Returns the options for a new passkey of the subject. */
export async function newPasskeyOptions(ports: Ports, { subject, browser }: Owner) {
  const names = { username: subject, displayName: subject, siteName: 'Test' }
  const begun = await registerOptions(ports, { subject, browser, ...names })
  assert.ok(begun)
  return begun
}

/** Creates a passkey in the authenticator, and stores it. */
export async function addPasskey(
  ports: Ports,
  { subject, browser, idp = localProvider }: Owner,
  authenticator: SoftAuthenticator = createAuthenticator({ origin: issuer }),
) {
  const { ceremony, options } = await newPasskeyOptions(ports, { subject, browser })
  const response = authenticator.create(options)
  const input = { subject, browser, idp, within: undefined, nameOf: () => 'Test key', ceremony, response }
  const registered = await finishRegistration(ports, input, context)
  assert.ok(registered.kind === 'added', JSON.stringify(registered))
  return { authenticator, passkey: registered.passkey }
}
