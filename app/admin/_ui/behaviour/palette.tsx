/** Ctrl-K: anything by a few letters, and everything that can be done. The search box of the page opens it, too. */
import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useRef, useState } from 'react'
import { PaletteList } from './palette-list.tsx'
import { useChoice } from './use-choice.ts'
import { useFound } from './use-found.ts'

/** `text` is what the page's own box held when it was opened. */
type Opening = { readonly text: string }

const dialog = Dialog.createHandle<Opening>()

export function Palette() {
  useEffect(watchPage, [])
  return (
    <Dialog.Root handle={dialog}>
      {({ payload }) => (
        <Dialog.Portal>
          <Dialog.Backdrop className="dialog-shade" />
          <Search text={payload?.text ?? ''} />
        </Dialog.Portal>
      )}
    </Dialog.Root>
  )
}

function Search({ text: first }: Opening) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(first)
  const { groups, state } = useFound(text.trim())
  const choice = useChoice(groups, state !== 'waiting')
  return (
    <Dialog.Popup className="palette" initialFocus={input}>
      <Dialog.Title className="visually-hidden">Search</Dialog.Title>
      <form className="palette-box" method="get" action="/admin/search" onSubmit={choice.take}>
        <input
          ref={input}
          className="input small"
          type="text"
          name="q"
          role="combobox"
          aria-label="Search, or paste a reference"
          aria-autocomplete="list"
          aria-expanded={groups.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={choice.activeId}
          placeholder="Client, person, scope, reference, or what to do"
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={choice.move}
        />
        <Dialog.Close className="btn small">Close</Dialog.Close>
      </form>
      <PaletteList groups={groups} choice={choice} onDone={() => dialog.close()} />
      <p className="palette-status small muted" role="status">
        {statusOf(state, choice.count)}
      </p>
    </Dialog.Popup>
  )
}

function statusOf(state: 'waiting' | 'found' | 'failed', count: number): string {
  if (state === 'failed') return 'The server gave no answer. Press Enter to search on a page of its own.'
  if (state === 'waiting') return ''
  if (count === 0) return 'Nothing begins like that. Try fewer letters.'
  return count === 1 ? '1 result' : `${count} results`
}

/** Who comes to the page's box by Tab is left there: it sends its form as without script. */
function watchPage(): () => void {
  const stop = new AbortController()
  const { signal } = stop
  document.addEventListener('keydown', openByKey, { signal })
  for (const box of document.querySelectorAll<HTMLInputElement>('[data-palette]')) {
    box.addEventListener('click', () => open(box), { signal })
    box.addEventListener('keydown', event => event.key === 'ArrowDown' && open(box), { signal })
  }
  return () => stop.abort()
}

/** What was typed into the page's box goes on in the dialog's. */
function open(box: HTMLInputElement): void {
  const text = box.value
  box.value = ''
  dialog.openWithPayload({ text })
}

function openByKey(event: KeyboardEvent): void {
  const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
  if (!isShortcut || event.altKey || event.shiftKey) return
  event.preventDefault()
  if (dialog.isOpen) dialog.close()
  else dialog.openWithPayload({ text: '' })
}
