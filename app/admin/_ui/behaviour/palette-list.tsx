/** The entries below the box, group by group. */
import type { ReactNode } from 'react'
import type { Entry, Group } from './palette-results.ts'
import { type Choice, optionId } from './use-choice.ts'

type PaletteListProps = {
  readonly groups: readonly Group[]
  readonly choice: Choice
  /** After a command, which leads nowhere else. */
  readonly onDone: () => void
}

export function PaletteList({ groups, choice, onDone }: PaletteListProps) {
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
              key={`${entry.title} ${entry.note}`}
              entry={entry}
              index={(starts[index] ?? 0) + place}
              choice={choice}
              onDone={onDone}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

type OptionProps = Omit<PaletteListProps, 'groups'> & { readonly entry: Entry; readonly index: number }

function Option({ entry, index, choice, onDone }: OptionProps) {
  const shared = {
    id: optionId(index),
    className: 'palette-option',
    role: 'option',
    'aria-selected': index === choice.active,
    tabIndex: -1,
    onMouseMove: () => choice.active !== index && choice.choose(index),
    children: <Words entry={entry} />,
  } as const
  if (entry.kind === 'link') return <a {...shared} href={entry.href} />
  const run = () => {
    entry.run()
    onDone()
  }
  return <button {...shared} type="button" onClick={run} />
}

function Words({ entry: { title, note } }: { readonly entry: Entry }): ReactNode {
  return (
    <>
      <span className="strong">{title}</span> <span className="small faint">{note}</span>
    </>
  )
}
