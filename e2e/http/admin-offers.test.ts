/** Tests that pages of the dashboard offer a role only links and buttons that it may use. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Staff, staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { adminScreens } from '../fixtures/dashboard/dashboard-pages.ts'
import { type Permission, rolesThatMay, useCases } from '../fixtures/dashboard/permission-tables.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'

let all: Staff
sharedStaff(opened => {
  all = opened.all
})

/** All pages except that of the setup, and in addition pages of objects of administrators, which only owners may change. */
const screens = [
  ...adminScreens.filter(path => !path.startsWith('/admin/setup')),
  `/admin/users/${staff.auditor.sub}`,
  '/admin/clients/desk',
  '/admin/clients/desk/secrets',
  '/admin/clients/desk/access',
  '/admin/clients/desk/history',
]

for (const role of ['client_manager', 'user_support', 'auditor'] as const) {
  describe(`AD-01 the dashboard offers ${role} only what the role permits`, () => {
    const pages = new Map<string, string>()
    before(async () => {
      for (const screen of screens) {
        const { status, text } = await all[role].get(screen)
        if (status !== 403) pages.set(screen, text)
      }
    })

    test('AD-01 no link of the page leads to a refusal', async () => {
      const seen = new Map<string, string>()
      for (const [screen, text] of pages) for (const href of linksIn(text)) seen.set(href, screen)
      assert.ok(seen.size > 30, 'links were found')
      const refused: string[] = []
      for (const [href, screen] of seen)
        if ((await all[role].get(href)).status === 403) refused.push(`${href} on ${screen}`)
      assert.deepEqual(refused, [])
    })

    test('AD-01 every enabled button is permitted', async () => {
      const foreign: string[] = []
      for (const [screen, text] of pages) {
        for (const action of liveForms(text)) {
          if (!rolesThatMay(permissionFor(action)).includes(role)) foreign.push(`${action} on ${screen}`)
        }
      }
      assert.deepEqual(foreign, [])
    })
  })
}

describe('AD-03 only owners can change administrators, and the pages say so', () => {
  for (const [role, screen] of [
    ['user_support', `/admin/users/${staff.auditor.sub}`],
    ['user_support', `/admin/sessions?sub=${staff.auditor.sub}`],
    ['client_manager', '/admin/clients/desk'],
    ['client_manager', '/admin/clients/desk/test'],
    ['client_manager', '/admin/clients/desk/secrets'],
  ] as const) {
    test(`AD-03 ${screen} offers ${role} no changes of administrators`, async () => {
      const { text } = await all[role].get(screen)
      assert.deepEqual(liveForms(text), [])
      assert.match(text, /administers the service|is an administrator/)
      assert.notDeepEqual(liveForms((await all.owner.get(screen)).text), [])
    })
  }
})

function linksIn(text: string): readonly string[] {
  return [...text.matchAll(/<a [^>]*href="(\/admin[^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
}

/** The actions of the enabled forms, except forms that every role has. */
function liveForms(text: string): readonly string[] {
  const forms = text.match(/<form [\s\S]*?<\/form>/g) ?? []
  return forms.filter(isLive).flatMap(form => {
    const [, action = ''] = /^<form [^>]*action="([^"]+)"/.exec(form) ?? []
    return /\/(theme|sign-out)$/.test(action) ? [] : [action]
  })
}

function isLive(form: string): boolean {
  const buttons = form.match(/<button [^>]*type="submit"[^>]*>/g) ?? []
  return /^<form [^>]*method="post"/.test(form) && buttons.some(button => !/ disabled\b/.test(button))
}

const otherForms: ReadonlyArray<readonly [RegExp, Permission]> = [
  [/\/clients\/[^/]+\/test\/start$/, 'clients:test'],
  [/\/providers\/[^/]+\/test\/start$/, 'providers:update'],
  [/\/configuration\/export$/, 'configuration:read'],
]

function permissionFor(action: string): Permission {
  const [, name] = /^\/admin\/do\/(.+)$/.exec(action) ?? []
  const permission =
    useCases.find(useCase => useCase.name === name)?.permission ??
    otherForms.find(([pattern]) => pattern.test(action))?.[1]
  assert.ok(permission !== undefined, `${action} is not a known form`)
  return permission
}
