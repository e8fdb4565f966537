'use client'
/** A dialog that searches the dashboard, and offers commands. Ctrl-K, `/` and the search box of the navigation open it. */
import {
  type FormEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  useEffect,
  useState,
} from 'react'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { Link } from '../link.tsx'
import { CloseButton, Modal } from '../modal.tsx'
import { type PaletteEntry, type PaletteGroup, type Results, useResults } from './use-results.ts'

/** The event that opens the palette. Its detail is the text to search for. */
const opening = 'palette-open'

function openPalette(text: string): void {
  document.dispatchEvent(new CustomEvent(opening, { detail: text }))
}

function closePalette(): void {
  document.querySelector<HTMLDialogElement>('dialog.palette')?.close()
}

export function Palette() {
  const [first, setFirst] = useState<string | null>(null)
  const isOpen = first !== null
  useEffect(() => {
    const open = (event: Event) => event instanceof CustomEvent && setFirst(String(event.detail))
    const toggle = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return
      event.preventDefault()
      if (isOpen) closePalette()
      else setFirst('')
    }
    document.addEventListener(opening, open)
    document.addEventListener('keydown', toggle)
    return () => {
      document.removeEventListener(opening, open)
      document.removeEventListener('keydown', toggle)
    }
  }, [isOpen])
  return first !== null && <Search first={first} onClosed={() => setFirst(null)} />
}

type SearchProps = { readonly first: string; readonly onClosed: () => void }

function Search({ first, onClosed }: SearchProps) {
  const [text, setText] = useState(first)
  const results = useResults(text.trim())
  const { groups, state } = results
  const options = useActiveOption(groups, state !== 'loading')
  return (
    <Modal
      className="palette"
      titleId="palette-title"
      firstFocus={dialog => dialog.querySelector('input')}
      closesOutside
      onClosed={onClosed}
    >
      <h2 id="palette-title" className="visually-hidden">
        Search
      </h2>
      <form
        className="palette-box"
        method="get"
        action={browserAddress('/admin/search')}
        onSubmit={options.take}
      >
        <input
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
        <CloseButton>Close</CloseButton>
      </form>
      <ResultsList groups={groups} options={options} onDone={closePalette} />
      <p className="palette-status small muted" role="status">
        {statusOf(results, options.count)}
      </p>
    </Modal>
  )
}

function statusOf({ state, reason }: Results, count: number): string {
  if (state === 'failed')
    return `Search failed. ${count === 0 ? 'Press Enter to open the search page.' : 'Only commands are listed.'}`
  if (state === 'loading') return ''
  if (count === 0) return reason ?? 'No results. Try fewer letters.'
  return count === 1 ? '1 result' : `${count} results`
}

/** Whether the key opens or closes the palette: Ctrl-K, Command-K, or `/` outside of fields. */
function isPaletteKey(event: KeyboardEvent): boolean {
  if (event.altKey || event.defaultPrevented) return false
  const isCommand = event.ctrlKey || event.metaKey
  if (isCommand) return !event.shiftKey && event.key.toLowerCase() === 'k'
  return event.key === '/' && !isTyping(event.target)
}

/** Whether the key is typed into a field. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

type ResultsListProps = {
  readonly groups: readonly PaletteGroup[]
  readonly options: ActiveOption
  /** Called when an entry has been chosen. */
  readonly onDone: () => void
}

function ResultsList({ groups, options, onDone }: ResultsListProps) {
  const starts = groups.map((_, index) =>
    groups.slice(0, index).reduce((sum, { results }) => sum + results.length, 0),
  )
  return (
    <div className="palette-list" id="palette-list" role="listbox" aria-label="Results" tabIndex={-1}>
      {groups.map(({ heading, results }, index) => (
        <fieldset key={heading} aria-label={heading}>
          <p className="palette-heading small faint" aria-hidden="true">
            {heading}
          </p>
          {results.map((entry, place) => (
            <Option
              key={`${entry.name} ${entry.note}`}
              entry={entry}
              index={(starts[index] ?? 0) + place}
              options={options}
              onDone={onDone}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

type OptionProps = Omit<ResultsListProps, 'groups'> & {
  readonly entry: PaletteEntry
  readonly index: number
}

function Option({ entry, index, options, onDone }: OptionProps) {
  const shared = {
    id: optionId(index),
    className: 'palette-option',
    role: 'option',
    'aria-selected': index === options.active,
    tabIndex: -1,
    onMouseMove: () => options.active !== index && options.choose(index),
    children: <Words entry={entry} />,
  } as const
  if ('href' in entry) return <Link {...shared} href={entry.href} onClick={onDone} />
  const run = () => {
    entry.run()
    onDone()
  }
  return <button {...shared} type="button" onClick={run} />
}

function Words({ entry: { name, note } }: { readonly entry: PaletteEntry }): ReactNode {
  return (
    <>
      <span className="strong">{name}</span> <span className="small faint">{note}</span>
    </>
  )
}

const name = 'Find a client, user, scope or request ID'

export function SearchBox() {
  return (
    <search>
      <form className="admin-find" method="get" action={browserAddress('/admin/search')}>
        <input
          className="input small"
          type="search"
          name="q"
          id="admin-search"
          aria-label={name}
          title={`${name} (Ctrl K or /)`}
          placeholder="Find…"
          maxLength={200}
          enterKeyHint="go"
          autoCapitalize="none"
          spellCheck={false}
          aria-keyshortcuts="Control+K Meta+K /"
          onClick={event => moveToPalette(event.currentTarget)}
          onKeyDown={event => event.key === 'ArrowDown' && moveToPalette(event.currentTarget)}
        />
      </form>
    </search>
  )
}

/** Opens the palette with the text of the search box. */
function moveToPalette(box: HTMLInputElement): void {
  openPalette(box.value)
  box.value = ''
}

type ActiveOption = {
  readonly count: number
  readonly active: number
  readonly activeId: string | undefined
  readonly choose: (index: number) => void
  readonly move: (event: ReactKeyboardEvent) => void
  /** Chooses the active option on Enter, once the list matches the text. If the current list is empty, the form is sent. */
  readonly take: (event: FormEvent) => void
}

/** The active option of the palette: the first one after each change of the list. `isCurrent`: whether the list matches the text. */
function useActiveOption(groups: readonly PaletteGroup[], isCurrent: boolean): ActiveOption {
  const [chosen, setChosen] = useState({ groups, index: 0 })
  const active = chosen.groups === groups ? chosen.index : 0
  const [isAwaited, setAwaited] = useState(false)
  useEffect(() => {
    if (!isAwaited || !isCurrent) return
    setAwaited(false)
    const first = document.getElementById(optionId(0))
    if (first === null) document.querySelector<HTMLFormElement>('form.palette-box')?.requestSubmit()
    else first.click()
  }, [isAwaited, isCurrent])
  const count = groups.reduce((sum, { results }) => sum + results.length, 0)
  const activeId = active < count ? optionId(active) : undefined
  const choose = (index: number) => {
    setChosen({ groups, index })
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

function optionId(index: number): string {
  return `palette-${index}`
}
