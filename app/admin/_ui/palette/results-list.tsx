/** The entries below the box, group by group. */
import type { ReactNode } from 'react'
import { Link } from '../link.tsx'
import type { PaletteEntry, PaletteGroup } from './results.ts'
import { type ActiveOption, optionId } from './use-active-option.ts'

type ResultsListProps = {
  readonly groups: readonly PaletteGroup[]
  readonly options: ActiveOption
  /** Called when an entry was chosen. */
  readonly onDone: () => void
}

export function ResultsList({ groups, options, onDone }: ResultsListProps) {
  const starts = groups.map((_, index) =>
    groups.slice(0, index).reduce((sum, { entries }) => sum + entries.length, 0),
  )
  return (
    <div className="palette-list" id="palette-list" role="listbox" aria-label="Results" tabIndex={-1}>
      {groups.map(({ heading, entries }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox has no other groups
        <div key={heading} role="group" aria-label={heading}>
          <p className="palette-heading small faint" aria-hidden="true">
            {heading}
          </p>
          {entries.map((entry, place) => (
            <Option
              key={`${entry.name} ${entry.note}`}
              entry={entry}
              index={(starts[index] ?? 0) + place}
              options={options}
              onDone={onDone}
            />
          ))}
        </div>
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
  if (entry.kind === 'link') return <Link {...shared} href={entry.href} onClick={onDone} />
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
