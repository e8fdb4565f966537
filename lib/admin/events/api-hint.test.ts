import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { apiHint } from './api-hint.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

test('the trace of issued tokens says when to choose typ JWT, unless the client gets no at+jwt', async () => {
  const rows = [
    [{}, true],
    [{ access_token_format: 'rfc9068' }, true],
    [{ access_token_format: 'rfc9068-jwt' }, false],
    [{ access_token_format: 'identityserver3' }, false],
    [{ access_token_type: 'reference' }, false],
  ] as const
  for (const [settings, isShown] of rows) {
    await opened.addClient({ client_id: 'api-client', ...settings })
    const issued = { name: 'tokens_issued', clientId: 'api-client' } as const
    const hint = await apiHint(opened.ports, issued)
    assert.equal(hint !== null, isShown, JSON.stringify(settings))
    if (hint !== null) assert.match(hint, /typ at\+jwt, as Spring Security does.*“RFC 9068 with typ JWT”/)
    assert.equal(await apiHint(opened.ports, { ...issued, name: 'token_refused' }), null)
  }
  await opened.addClient({ client_id: 'api-client' })
  const settings = { ...opened.ports.settings, accessTokenFormat: 'rfc9068-jwt' } as const
  const issued = { name: 'tokens_issued', clientId: 'api-client' } as const
  assert.equal(await apiHint({ ...opened.ports, settings }, issued), null)
})
