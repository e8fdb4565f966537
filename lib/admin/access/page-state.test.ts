import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { adminSession as limits } from '#lib/config/limits.ts'
import type { AdminSession } from '#lib/ports/administration.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { finishSignInWith, signInAsAdmin } from '../testing/sign-in.ts'
import {
  type AdminCookies,
  currentAdminSession,
  type PageState,
  type RejectedForm,
  readRejectedForm,
  storePageState,
  takeOneTimeResult,
  typedSecrets,
} from './admin-session.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

const left = {
  kind: 'rejected_form',
  useCase: 'keys.rotate',
  fields: { algorithm: ['x'] },
  errors: [],
  conflict: null,
} satisfies PageState
const draft: RejectedForm = { ...left, hasSecrets: false }
const answer = { kind: 'one_time_result', useCase: 'clients.add_secret', value: { secret: 'lks_x' } } as const

async function adminSessionOf(cookies: AdminCookies): Promise<AdminSession> {
  const adminSession = await currentAdminSession(opened.ports, cookies)
  assert.ok(adminSession)
  return adminSession.session
}

async function newAdmin() {
  const { subject } = await opened.actor('owner')
  const { session, cookies } = await signInAsAdmin(opened, subject)
  return { session, cookies, adminSession: await adminSessionOf(cookies) }
}

test('rejected input is shown at each load; a secret only once', async () => {
  const { adminSession } = await newAdmin()
  const kept = await storePageState(opened.ports, adminSession, left)
  assert.deepEqual(await readRejectedForm(opened.ports, adminSession, kept), draft)
  assert.deepEqual(await readRejectedForm(opened.ports, adminSession, kept), draft)
  const shown = await storePageState(opened.ports, adminSession, answer)
  assert.deepEqual(await takeOneTimeResult(opened.ports, adminSession, shown), answer)
  assert.equal(await takeOneTimeResult(opened.ports, adminSession, shown), null)
})

test('AD-04 input is kept during a fresh sign-in', async () => {
  const { session, cookies, adminSession } = await newAdmin()
  const kept = await storePageState(opened.ports, adminSession, left)
  const entry = await finishSignInWith(opened, session, { replaced: cookies.admin })
  assert.ok(entry.kind === 'signed_in')
  assert.deepEqual(
    await readRejectedForm(opened.ports, await adminSessionOf({ ...cookies, admin: entry.session }), kept),
    draft,
  )
})

test('AD-05 an entered secret is kept for the same form and the same user; no page gets it', async () => {
  const { adminSession } = await newAdmin()
  const secrets = { client_secret: ['typed'] }
  const handle = await storePageState(opened.ports, adminSession, {
    ...left,
    useCase: 'providers.create',
    secrets,
  })
  assert.deepEqual(await readRejectedForm(opened.ports, adminSession, handle), {
    ...draft,
    useCase: 'providers.create',
    hasSecrets: true,
  })
  const typed = (session: AdminSession, useCase: string) =>
    typedSecrets(opened.ports, session, { handle, useCase })
  assert.deepEqual(await typed(adminSession, 'providers.create'), secrets)
  assert.deepEqual(await typed(adminSession, 'providers.update'), {})
  assert.deepEqual(await typed((await newAdmin()).adminSession, 'providers.create'), {})
})

test('form state is read once, only in its admin session', async () => {
  const { adminSession } = await newAdmin()
  const kept = await storePageState(opened.ports, adminSession, left)
  assert.equal(await readRejectedForm(opened.ports, (await newAdmin()).adminSession, kept), null)
  opened.advance(limits.pageStateSeconds)
  assert.equal(await readRejectedForm(opened.ports, adminSession, kept), null)
})
