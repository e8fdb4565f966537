'use client'
/** Reads the page again while a message waits for its first attempt, so that its state appears without a reload. */
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const everyMs = 1500
/** A message that still waits then has to wait longer. */
const mostReads = 40

export function ReloadWhile({ isWaiting }: { readonly isWaiting: boolean }) {
  const router = useRouter()
  useEffect(() => {
    if (!isWaiting) return
    let reads = 0
    const timer = setInterval(() => {
      if (document.hidden) return
      reads += 1
      if (reads > mostReads) clearInterval(timer)
      else router.refresh()
    }, everyMs)
    return () => clearInterval(timer)
  }, [isWaiting, router])
  return null
}
