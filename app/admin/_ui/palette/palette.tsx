'use client'
/** Finds anything by a few letters, and every command. Opened by Ctrl-K, by `/`, and by the search box of the page. */
import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useRef, useState } from 'react'
import { ResultsList } from './results-list.tsx'
import { useActiveOption } from './use-active-option.ts'
import { useResults } from './use-results.ts'

const dialog = Dialog.createHandle<{ readonly text: string }>()

export function openPalette(text: string): void {
  dialog.openWithPayload({ text })
}

export function Palette() {
  useEffect(() => {
    document.addEventListener('keydown', openByKey)
    return () => document.removeEventListener('keydown', openByKey)
  }, [])
  return (
    <Dialog.Root handle={dialog}>
      {({ payload }) => (
        <Dialog.Portal>
          <Dialog.Backdrop className="dialog-shade" />
          <Search first={payload?.text ?? ''} />
        </Dialog.Portal>
      )}
    </Dialog.Root>
  )
}

function Search({ first }: { readonly first: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(first)
  const { groups, state } = useResults(text.trim())
  const options = useActiveOption(groups, state !== 'loading')
  return (
    <Dialog.Popup className="palette" initialFocus={input}>
      <Dialog.Title className="visually-hidden">Search</Dialog.Title>
      <form className="palette-box" method="get" action="/admin/search" onSubmit={options.take}>
        <input
          ref={input}
          className="input small"
          type="text"
          name="q"
          role="combobox"
          aria-label="Search, or paste a request ID"
          aria-autocomplete="list"
          aria-expanded={groups.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={options.activeId}
          placeholder="Client, user, scope, request ID or command"
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={options.move}
        />
        <Dialog.Close className="btn small">Close</Dialog.Close>
      </form>
      <ResultsList groups={groups} options={options} onDone={() => dialog.close()} />
      <p className="palette-status small muted" role="status">
        {statusOf(state, options.count)}
      </p>
    </Dialog.Popup>
  )
}

function statusOf(state: 'loading' | 'found' | 'failed', count: number): string {
  if (state === 'failed') return 'Search failed. Press Enter to open the search page.'
  if (state === 'loading') return ''
  if (count === 0) return 'No results. Try fewer letters.'
  return count === 1 ? '1 result' : `${count} results`
}

function openByKey(event: KeyboardEvent): void {
  if (event.altKey || event.defaultPrevented) return
  const isCommand = event.ctrlKey || event.metaKey
  const isPaletteKey = isCommand && !event.shiftKey && event.key.toLowerCase() === 'k'
  if (!isPaletteKey && !(event.key === '/' && !isCommand && !isTyping(event.target))) return
  event.preventDefault()
  if (dialog.isOpen) dialog.close()
  else openPalette('')
}

/** Whether a key goes into a field. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}
