/** The settings of a form in groups. The control of each follows from its schema. */

import { Fragment, type ReactNode } from 'react'
import { type Choice, choicesOf, type Setting, type SettingForm } from '#lib/admin/setting-form.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { CheckBoxes, CheckField, rowsFor, SelectField, TextArea, TextField } from '../_ui/fields.tsx'
import type { FieldState } from '../_ui/form.tsx'
import { duration } from '../_ui/time-words.ts'

export type SettingFieldProps = {
  readonly setting: Setting
  /** The stored value as texts. */
  readonly stored: readonly string[]
  readonly state: FieldState
}

type SettingGroupsProps = {
  readonly form: SettingForm
  /** The stored document with its defaults. */
  readonly document: Readonly<Record<string, unknown>>
  readonly state: FieldState
  /** The number of groups that are open at first. */
  readonly opened?: number
  /** Draws one field, such as with `SettingField`. */
  readonly children: (field: SettingFieldProps) => ReactNode
}

/** The groups of a form. The first ones are open, and so is each group with an error. */
export function SettingGroups({ form, document, state, opened = 2, children }: SettingGroupsProps) {
  const texts = form.textsOf(document)
  return form.groups.map(({ title, standard, settings }, index) => (
    <details
      key={title}
      className="settings-group"
      open={index < opened || settings.some(({ field }) => state.error(field) !== null)}
    >
      <summary>{title}</summary>
      <div className="form">
        {standard !== null && (
          <a className="standard" href={browserAddress(standard.href)} rel="noreferrer">
            {standard.name}
          </a>
        )}
        {settings.map(setting => (
          <Fragment key={setting.field}>
            {children({ setting, stored: texts[setting.field] ?? [], state })}
          </Fragment>
        ))}
      </div>
    </details>
  ))
}

export function SettingField({ setting, stored, state }: SettingFieldProps) {
  const { field: name, label, help, input, absent } = setting
  const shared = { name, label, help, error: state.error(name) }
  const value = state.value(name, stored[0] ?? '')
  switch (input.kind) {
    case 'choices':
      return <SettingBoxes {...{ setting, stored, state }} />
    case 'choice': {
      const empty = absent === undefined ? [] : ([['', absent]] as const)
      return <SelectField {...shared} value={value} options={[...empty, ...choicesOf(setting, [])]} />
    }
    case 'check':
      return <CheckField {...shared} isOn={value === 'true'} />
    case 'list':
    case 'words':
      return <TextArea {...shared} help={`${help} One per line.`} value={value} rows={rowsFor(value, 2)} />
    case 'json':
      return <TextArea {...shared} value={value} rows={rowsFor(value, 4)} />
    case 'long_text':
      return <TextArea {...shared} value={value} rows={2} isMono={false} />
    case 'number':
      return <TextField {...shared} value={value} isMono suffix={wordsFor(value, absent)} />
    default:
      return <TextField {...shared} value={value} />
  }
}

type SettingBoxesProps = SettingFieldProps & {
  /** The choices where the schema does not list them, such as the registered scopes. */
  readonly registered?: readonly Choice[]
}

export function SettingBoxes({ setting, stored, state, registered }: SettingBoxesProps) {
  const { field: name, label, help, absent } = setting
  const values = state.values(name, stored)
  return (
    <CheckBoxes
      {...{ name, label, values }}
      fullAccess={adminScope}
      error={state.error(name)?.replaceAll(/^Line \d+: /gm, '') ?? null}
      help={absent === undefined ? help : `${help} None: ${absent}.`}
      options={choicesOf(setting, values, registered)}
    />
  )
}

function wordsFor(value: string, absent: string | undefined): string {
  if (value === '') return absent ?? ''
  return /^\d+$/.test(value) ? duration(Number(value)) : ''
}
