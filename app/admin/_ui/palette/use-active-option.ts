/** Which option of the list is active, by arrow keys and by the pointer; the focus stays in the box. */
import { type FormEvent, type KeyboardEvent, useEffect, useState } from 'react'
import type { PaletteGroup } from './use-results.ts'

export type ActiveOption = {
  readonly count: number
  readonly active: number
  readonly activeId: string | undefined
  readonly choose: (index: number) => void
  readonly move: (event: KeyboardEvent) => void
  /** Enter: follows the active option as soon as the list fits the text. Without options the form is sent. */
  readonly take: (event: FormEvent) => void
}

/** The first option is active whenever the list changes. `isCurrent`: the list fits the text. */
export function useActiveOption(groups: readonly PaletteGroup[], isCurrent: boolean): ActiveOption {
  const [active, setActive] = useState(0)
  const [isAwaited, setAwaited] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
  useEffect(() => setActive(0), [groups])
  useEffect(() => {
    if (!isAwaited || !isCurrent) return
    setAwaited(false)
    document.getElementById(optionId(0))?.click()
  }, [isAwaited, isCurrent])
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0)
  const activeId = active < count ? optionId(active) : undefined
  const choose = (index: number) => {
    setActive(index)
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' })
  }
  return {
    count,
    active,
    activeId,
    choose,
    move: event => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step === undefined || count === 0) return
      event.preventDefault()
      choose((active + step + count) % count)
    },
    take: event => {
      if (isCurrent && activeId === undefined) return
      event.preventDefault()
      if (isCurrent && activeId !== undefined) document.getElementById(activeId)?.click()
      else setAwaited(true)
    },
  }
}

export function optionId(index: number): string {
  return `palette-${index}`
}
