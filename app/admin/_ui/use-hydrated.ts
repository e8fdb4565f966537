/** Whether React runs in this browser. False on the server and in the first rendering, which must produce the same markup. */
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
