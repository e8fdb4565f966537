/** A page that is not there, or not for this role, is answered inside the dashboard: with the way on, and its status. */
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { readVisit } from '#app/_ui/visit.ts'
import { isPageRefusal, type PageRefusal } from '../admin-page.ts'
import { RefusedPage } from './refused-page.tsx'

type Drawing<I> = (input: I) => Promise<ReactNode>

/** Every page of the dashboard stands behind this. Sending on and real failures pass through. */
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

/** NOTE: only our own server reads the status from the page; under another host a wrong status would be worse. */
async function answerTo(refusal: PageRefusal): Promise<ReactNode> {
  const { reference } = await readVisit()
  if (reference !== null) return <RefusedPage refusal={refusal} />
  if (refusal.why === 'role') throw refusal
  notFound()
}
