'use client'
/** For a page with a secret that is shown once: the Back button must not bring it from the memory of the script. */
import { useDocumentLoads } from './use-leave-warning.ts'

export function DocumentLoads() {
  useDocumentLoads(true)
  return null
}
