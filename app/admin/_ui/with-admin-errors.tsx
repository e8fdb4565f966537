/** Answers inside the dashboard, with the right status, when a page does not exist or is not for this role. */
import { forbidden, notFound } from 'next/navigation'
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
 * NOTE: where a page calls `notFound()` or `forbidden()`, Next sends an empty document and draws the file of that name
 * by script. So the page is drawn here, and our server is told its status; other hosts cannot be.
 */
async function answerTo(refusal: PageRefusal): Promise<ReactNode> {
  const { reference } = await readVisit()
  if (reference === null) return refusal.why === 'role' ? forbidden() : notFound()
  setPageStatus(reference, refusal.why === 'role' ? 403 : 404)
  return <RefusedPage refusal={refusal} />
}
