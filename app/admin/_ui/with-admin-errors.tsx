/** Answers inside the dashboard, with the right status, when a page does not exist or is not for this role. */
import type { ReactNode } from 'react'
import { readVisit } from '#app/_ui/visit.ts'
import { setPageStatus } from '#lib/server/host/page-outcome.ts'
import { isPageRefusal, type PageRefusal } from '../admin-page.ts'
import { RefusedPage } from './refused-page.tsx'

type Drawing<I> = (input: I) => Promise<ReactNode>

/** Every page of the dashboard is wrapped in this. Redirects and failures pass through. */
export function withAdminErrors<I>(draw: Drawing<I>): Drawing<I> {
  return async input => {
    try {
      return await draw(input)
    } catch (error) {
      if (!isPageRefusal(error)) throw error
      return answerTo(error)
    }
  }
}

/**
 * NOTE: if a page calls `notFound()` or `forbidden()`, Next sends an empty document and draws the file of that name by script.
 * So the page is drawn here, and the server gets its status by the request ID.
 */
async function answerTo(refusal: PageRefusal): Promise<ReactNode> {
  const { context } = await readVisit()
  setPageStatus(context.referenceId, refusal.why === 'role' ? 403 : 404)
  return <RefusedPage refusal={refusal} />
}
