/**
 * A random walk over the hosted pages without script: a user follows links, sends forms with right and wrong values, goes back,
 * reloads, submits twice, opens tabs, loses cookies, and waits until steps expire. No page on the way may be a dead end, and in
 * the end the user signs in.
 */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { codeRequest, newProof, type Parameters } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { app } from '../fixtures/server/suite.ts'
import { type Chance, chanceOf } from './chance.ts'
import { type PageForm, readPage } from './html.ts'
import type { Walker } from './walker.ts'

export type WalkParts = {
  readonly issuer: string
  readonly walker: Walker
  readonly seed: number
  readonly steps: number
  /** Lets the interrupted sign-ins and pending requests of a browser expire. */
  readonly expire: (browser: HttpBrowser) => Promise<void>
  /** Returns the text of the newest mail to the user; `null`: there is none. */
  readonly newestMail: () => Promise<string | null>
}

type Walk = WalkParts & {
  readonly chance: Chance
  readonly browser: HttpBrowser
  /** The pages so far, the current one last. */
  readonly pages: Visit[]
  /** The steps so far, for the message of a failure. */
  readonly path: string[]
}

/** Walks. Throws with the path if a page is a dead end, or the user cannot sign in at the end. */
export async function walk(parts: WalkParts): Promise<readonly string[]> {
  const browser = newBrowser(parts.issuer, { 'x-forwarded-for': addressOf(parts.seed) })
  const walk: Walk = { ...parts, chance: chanceOf(parts.seed), browser, pages: [], path: [] }
  try {
    await arrive(walk, 'begin', await begin(walk))
    for (let step = 0; step < parts.steps; step += 1) {
      const [name, act] = walk.chance.one(actions)
      await arrive(walk, name, await act(walk))
    }
    await signInAtLast(walk)
    return walk.path
  } catch (error) {
    throw new Error(`walk ${parts.seed} of a user with ${parts.walker.kind}:\n${walk.path.join('\n')}`, {
      cause: error,
    })
  }
}

function addressOf(seed: number): string {
  return `10.${(seed >> 16) & 255}.${(seed >> 8) & 255}.${seed & 255}`
}

/** Checks the page and goes on from it. From another origin and from a file the user comes back to the page before. */
async function arrive(walk: Walk, name: string, visit: Visit): Promise<void> {
  const { target, answer, location } = visit
  const { status, headers, text } = answer
  walk.path.push(`${name}: ${location?.origin ?? `${status} ${target.slice(0, 100)}`}`)
  assert.ok(status < 500, `the status is ${status}`)
  if (location !== null || !String(headers['content-type']).startsWith('text/html')) return
  assert.match(text, /<h1\b/, 'the page has no heading')
  assert.ok(waysOn(walk, visit) > 0, 'the page has no way on')
  walk.pages.push(visit)
}

/** The number of links and forms, without the switch of the language, the explanation of error codes, and the page itself. */
function waysOn({ issuer }: Walk, { target, answer }: Visit): number {
  const { links, forms } = readPage(answer.text)
  const paths = [...links, ...forms.map(({ action }) => action)].map(
    place => new URL(place, new URL(target, issuer)).pathname,
  )
  const here = new URL(target, issuer).pathname
  const asks = forms.some(form => form.isPost && isAsking(form))
  return paths.filter(path => path !== here && !aside.has(path)).length + (asks ? 1 : 0)
}

const aside: ReadonlySet<string> = new Set(['/language', '/help/errors'])

const clients: readonly Parameters[] = [
  {},
  { client_id: 'web' },
  { client_id: 'other', prompt: 'login' },
  { prompt: 'select_account' },
  { max_age: '0' },
  { acr_values: 'urn:latchkey:mfa' },
  { acr_values: 'urn:latchkey:passkey' },
  { login_hint: 'a-stranger' },
]

function begin({ browser, chance }: Walk, changes?: Parameters): Promise<Visit> {
  const request = codeRequest(app, newProof(), changes ?? chance.one(clients))
  return browser.follow(withQuery('/connect/authorize', request))
}

type Action = (walk: Walk) => Promise<Visit>

const actions: readonly (readonly [name: string, act: Action])[] = [
  ['send the form', walk => send(walk, current(walk), true)],
  ['send the form', walk => send(walk, current(walk), true)],
  ['send the form', walk => send(walk, current(walk), true)],
  ['send wrong values', walk => send(walk, current(walk), false)],
  ['send twice', sendTwice],
  ['follow a link', followLink],
  ['follow a link', followLink],
  ['reload', ({ browser, ...walk }) => browser.follow(current(walk).target)],
  ['go back and reload', ({ browser, ...walk }) => browser.follow(walk.chance.one(walk.pages).target)],
  ['go back and send', walk => send(walk, walk.chance.one(walk.pages), true)],
  ['open in another browser', openElsewhere],
  ['open a tab', walk => begin(walk)],
  ['open the account', ({ browser }) => browser.follow('/account')],
  ['open the mail', openMail],
  ['lose a cookie', loseCookie],
  ['wait until steps expire', waitUntilExpired],
]

function current({ pages }: Pick<Walk, 'pages'>): Visit {
  return pages.at(-1) ?? assert.fail('the walk has no page')
}

async function followLink(walk: Walk): Promise<Visit> {
  const { issuer, browser, chance } = walk
  const page = current(walk)
  const urls = readPage(page.answer.text).links.map(href => new URL(href, new URL(page.target, issuer)))
  const inside = urls.filter(
    ({ origin, pathname }) => origin === issuer && !pathname.startsWith('/playground'),
  )
  if (inside.length === 0) return page
  const { pathname, search } = chance.one(inside)
  return browser.follow(pathname + search)
}

async function send(walk: Walk, page: Visit, isRight: boolean): Promise<Visit> {
  const { forms } = readPage(page.answer.text)
  if (forms.length === 0) return page
  const asking = forms.filter(isAsking)
  const form = walk.chance.one(asking.length > 0 && walk.chance.below(4) > 0 ? asking : forms)
  return sendForm(walk, page, { form, fields: fill(walk, page, form, isRight) })
}

async function sendTwice(walk: Walk): Promise<Visit> {
  const page = current(walk)
  const { forms } = readPage(page.answer.text)
  if (forms.length === 0) return page
  const form = walk.chance.one(forms)
  const sent = { form, fields: fill(walk, page, form, true) }
  const [one, two] = await Promise.all([sendForm(walk, page, sent), sendForm(walk, page, sent)])
  await arrive(walk, 'the first of two', one)
  return two
}

type Sending = { readonly form: PageForm; readonly fields: readonly (readonly [string, string])[] }

async function sendForm(
  { issuer, browser }: Walk,
  page: Visit,
  { form: { action, isPost }, fields }: Sending,
): Promise<Visit> {
  const { pathname, search } = new URL(action, new URL(page.target, issuer))
  if (!isPost) return browser.follow(`${pathname}?${new URLSearchParams(fields.map(([...pair]) => pair))}`)
  const target = pathname + search
  const answer = await browser.post(target, fields)
  const { location } = answer.headers
  if (location === undefined) return { target, answer, location: null }
  const next = new URL(location, new URL(target, issuer))
  return next.origin === issuer
    ? browser.follow(next.pathname + next.search)
    : { target, answer, location: next }
}

function fill({ walker, chance }: Walk, page: Visit, form: PageForm, isRight: boolean): Sending['fields'] {
  const fields = form.fields.map(({ name, value }) => {
    const typed = walker.typed({ form, page: page.target, field: name })
    if (typed === null) return [name, value] as const
    return [name, isRight ? typed : chance.one(['', 'not this one', typed.repeat(9)])] as const
  })
  const ticked = form.boxes
    .filter(() => chance.below(2) === 0)
    .map(({ name, value }) => [name, value] as const)
  const { name, value } = chance.one(form.buttons)
  return [...fields, ...ticked, ...(name === '' ? [] : [[name, value] as const])]
}

async function openElsewhere(walk: Walk): Promise<Visit> {
  const elsewhere = newBrowser(walk.issuer, { 'x-forwarded-for': addressOf(walk.seed + 1) })
  await arrive({ ...walk, pages: [] }, 'elsewhere', await elsewhere.follow(current(walk).target))
  return walk.browser.follow(current(walk).target)
}

/** Opens the link of the newest mail. If there is none, asks for one and waits for it. */
async function openMail(walk: Walk): Promise<Visit> {
  let text = await walk.newestMail()
  if (text === null) {
    await arrive(walk, 'ask for a mail', await send(walk, await walk.browser.follow('/login/forgot'), true))
    for (let waited = 0; text === null && waited < 30; waited += 1) {
      await delay(100)
      text = await walk.newestMail()
    }
  }
  const [link] = /https?:\/\/\S+\/login\/forgot\/password\?\S+/.exec(text ?? '') ?? []
  if (link === undefined) return current(walk)
  const { pathname, search } = new URL(link)
  return walk.browser.follow(pathname + search)
}

async function loseCookie(walk: Walk): Promise<Visit> {
  const { browser, chance } = walk
  if (browser.cookies.size > 0) browser.cookies.delete(chance.one([...browser.cookies.keys()]))
  return browser.follow(current(walk).target)
}

async function waitUntilExpired(walk: Walk): Promise<Visit> {
  await walk.expire(walk.browser)
  return send(walk, current(walk), true)
}

/** Signs in for the app and does everything that the pages ask for. Whatever happened before, this must succeed. */
async function signInAtLast(walk: Walk): Promise<void> {
  const { walker, browser } = walk
  await walker.restore()
  let visit = await begin(walk, { client_id: 'trusted', prompt: 'login' })
  for (let pages = 0; visit.location === null && pages < 8; pages += 1) {
    await arrive(walk, 'at last', visit)
    const form = rightForm(visit)
    const fields = form.fields.map(({ name, value }) => {
      const typed = walker.typed({ form, page: visit.target, field: name })
      return [name, typed ?? value] as const
    })
    const [{ name, value } = { name: '', value: '' }] = form.buttons
    visit = await sendForm(walk, visit, {
      form,
      fields: [...fields, ...(name === '' ? [] : [[name, value] as const])],
    })
  }
  walk.path.push(`at last: ${visit.location?.origin ?? visit.target}`)
  assert.equal(visit.location?.origin, app, 'the user does not reach the app')
  assert.ok(visit.location.searchParams.has('code'), `the app gets ${visit.location.search}`)
  assert.ok([...browser.cookies.keys()].length > 0)
}

/** Whether the form has a field to fill in. */
function isAsking({ fields }: PageForm): boolean {
  return fields.some(({ type }) => type !== 'hidden')
}

/** The form with the question of the page: the first one with a field to fill in, or else the first one. */
function rightForm({ answer: { text } }: Visit): PageForm {
  const forms = readPage(text).forms.filter(({ isPost }) => isPost)
  return forms.find(isAsking) ?? forms[0] ?? assert.fail('the page has no form that goes on')
}
