/** Filters of a list: a search by words, and choices between fixed values. */
import { z } from 'zod'

type Choice<T> = {
  readonly label: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
  readonly read: (value: string) => T
}

export type Choices = Readonly<Record<string, Choice<unknown>>>

/** The filters in the format of the storage; `null` for a filter that is not set. */
type SearchFilter<C extends Choices> = { readonly search: string | null } & {
  readonly [Name in keyof C]: ReturnType<C[Name]['read']> | null
}

/** The filters in a URL: `q` for words, and one value for each choice. */
type Asked<C> = { readonly [Name in keyof C | 'q']?: string | undefined }

export function searchFilter<C extends Choices>(choices: C) {
  const values = Object.entries(choices).map(
    ([name, { options }]) => [name, z.enum(options.map(([value]) => value)).optional()] as const,
  )
  return {
    choices,
    schema: z.object({ q: z.string().max(200).optional(), ...Object.fromEntries(values) }),
    of: (asked: Asked<C>): SearchFilter<C> => {
      const chosen = Object.entries(choices).map(([name, { read }]) => {
        const value = asked[name]
        return [name, value === undefined ? null : read(value)]
      })
      return { search: asked.q ?? null, ...Object.fromEntries(chosen) }
    },
  }
}

/** A choice between enabled and disabled rows. `off` is the list's word for the disabled ones, such as `Locked`. */
export function statusChoice(off: string): Choice<boolean> {
  return {
    label: 'Status',
    options: [
      ['true', 'Enabled'],
      ['false', off],
    ],
    read: value => value === 'true',
  }
}
