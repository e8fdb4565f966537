/** The filters of a list that is searched by words and narrowed by choices. */
import { z } from 'zod'

type Choice<T> = {
  readonly label: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
  readonly read: (value: string) => T
}

export type Choices = Readonly<Record<string, Choice<unknown>>>

/** As the storage is asked; `null`: not narrowed. */
type SearchFilter<C extends Choices> = { readonly search: string | null } & {
  readonly [Name in keyof C]: ReturnType<C[Name]['read']> | null
}

/** What the API and the address of the page are asked: `q`, and one value of each choice. */
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

/** Enabled, or what the list calls the others. */
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
