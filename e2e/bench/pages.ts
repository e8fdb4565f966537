/** The loads of public documents and of the sign-in page. */
import { codeRequest, newProof } from '../fixtures/requests/code-flow.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { expectKeySet, expectMembers, expectRedirect, expectSignInPage } from './expected.ts'
import type { Step, Supply } from './load-generator.ts'
import { appOrigin, type Site } from './site.ts'
import { complete, cookiesSetBy, followedBy, get, navigation } from './steps.ts'

const openPages = 16

export async function discoverySteps({ origin }: Site): Promise<readonly Step[]> {
  const members = { issuer: origin, jwks_uri: `${origin}/.well-known/jwks` }
  return [get('/.well-known/openid-configuration', {}, response => expectMembers(response, members))]
}

export async function keySetSteps(): Promise<readonly Step[]> {
  return [get('/.well-known/jwks', {}, expectKeySet)]
}

/** The authorization request of a new browser, and the page to which it leads. */
function signInStart(number: number, takePage: (page: Step) => void = () => {}): Step {
  const target = withQuery('/connect/authorize', codeRequest(appOrigin, newProof()))
  const headers = { ...navigation(''), 'x-forwarded-for': addressOf(number) }
  return followedBy(
    get(target, headers, () => {}),
    response => {
      const cookies = navigation(cookiesSetBy(response))
      const page = get(expectRedirect(response, '/login'), cookies, expectSignInPage)
      takePage(page)
      return page
    },
  )
}

/** A separate address for each browser, because a server limits the pending requests of an address. */
function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

export async function prepareSignIn(): Promise<Supply> {
  let browsers = 0
  return async () => () => signInStart(browsers++)
}

export async function signInPageSteps({ origin }: Site): Promise<readonly Step[]> {
  const pages: Step[] = []
  const browsers = Array.from({ length: openPages }, (_, number) => number)
  await complete(
    origin,
    browsers.map(number => signInStart(number, page => pages.push(page))),
  )
  return pages
}
