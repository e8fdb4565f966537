/** Whether React runs in this browser. It is false on the server and in the first rendering, which must be equal. */
import { useSyncExternalStore } from 'react'

export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

function subscribeToNothing(): () => void {
  return () => {}
}
