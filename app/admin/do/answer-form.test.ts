import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import { readDraft, typedSecrets } from '#lib/admin/access/flash.ts'
import { letIn } from '#lib/admin/access/test-entry.ts'
import { createProvider } from '#lib/admin/providers/write-providers.ts'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/test-admin-ports.ts'
import { answerForm } from './answer-form.ts'
import { readPostedForm, withSecrets } from './posted-form.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

test('AD-04 a secret typed before the step-up is there after it, and no page gets it', async () => {
  const { subject } = await opened.actor('owner')
  const visit = await currentAdminSession(
    opened.ports,
    await letIn(opened, await opened.openSession(subject)),
  )
  assert.ok(visit)
  const { session } = visit
  const pairs = [
    ['_back', '/admin/providers/new?issuer=x'],
    ['scheme', 'partner'],
    ['client_secret', 'typed by hand'],
    ['password', 'never kept'],
  ] as const
  const form = readPostedForm(pairs)
  const to = await answerForm(opened.ports, {
    session,
    useCase: createProvider,
    form,
    result: { kind: 'step_up' },
  })
  const back = new URL(new URL(to, 'http://x').searchParams.get('back') ?? '', 'http://x')
  const handle = back.searchParams.get('draft')
  const draft = await readDraft(opened.ports, session, handle ?? undefined)
  assert.deepEqual([draft?.fields, draft?.hasSecrets], [{ scheme: ['partner'] }, true])

  const again = readPostedForm([
    ['_draft', handle ?? ''],
    ['scheme', 'partner'],
    ['client_secret', ''],
  ])
  const typed = await typedSecrets(opened.ports, session, {
    handle: again.draft,
    useCase: createProvider.name,
  })
  assert.deepEqual(withSecrets(again, typed).fields.client_secret, ['typed by hand'])
  const other = readPostedForm([['client_secret', 'another one']])
  assert.deepEqual(withSecrets(other, typed).fields.client_secret, ['another one'])
})
