import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Host } from './host.ts'
import { now, sampleCode, sampleGrant, sampleReferenceToken, sampleSession } from './samples.ts'

/** As the wire could send them where a string is expected. */
const hostile = ['{"contains":""}', '{"not":null}', '{"startsWith":"a"}', '["a"]', 'null', '{}', 'undefined']

export function hostileValuesContract(host: () => Host): void {
  describe('values that are no strings', () => {
    for (const text of hostile) {
      test(`FW-03 refuses ${text} in every look-up, and changes nothing`, async () => {
        const { storage } = host()
        const [grant, session, token] = [sampleGrant(), sampleSession(), sampleReferenceToken()]
        const code = sampleCode(grant)
        await storage.codes.issue(code, grant)
        await storage.sessions.create(session)
        await storage.referenceTokens.create(token)
        for (const lookUp of lookUps(host(), text)) await assert.rejects(lookUp)
        assert.deepEqual(await storage.codes.find(code.digest), code)
        assert.deepEqual(await storage.grants.find(grant.id), grant)
        assert.deepEqual(await storage.sessions.find(session.digest, now), session)
        assert.deepEqual(await storage.referenceTokens.find(token.digest), token)
      })
    }
  })
}

function lookUps({ storage }: Host, text: string): readonly (() => Promise<unknown>)[] {
  const value = text === 'undefined' ? JSON.parse('{}').missing : JSON.parse(text)
  return [
    () => storage.clients.find(value),
    () => storage.users.findBySubject(value),
    () => storage.users.findByUsername(value),
    () => storage.grants.find(value),
    () => storage.grants.revoke({ id: value }, now),
    () => storage.grants.revoke({ subject: value }, now),
    () => storage.grants.revoke({ sessionId: value }, now),
    () => storage.codes.find(value),
    () => storage.codes.claim(value, now),
    () => storage.codes.countFailure(value),
    () => storage.refreshTokens.find(value),
    () => storage.refreshTokens.slide(value, now),
    () => storage.referenceTokens.find(value),
    () => storage.referenceTokens.remove(value),
    () => storage.revokedTokens.has(value),
    () => storage.consents.find(value, value, now),
    () => storage.consents.remove(value, value),
    () => storage.sessions.find(value, now),
    () => storage.sessions.touch(value, now),
    () => storage.sessions.end(value),
    () => storage.sessions.endAllOf(value),
    () => storage.pendingRequests.find(value, value),
    () => storage.pendingRequests.finish(value, now),
    () => storage.externalSignIns.take(value, value, now),
    () => storage.partialSignIns.take(value),
    () => storage.meta.find(value),
  ]
}
