/** The type of all catalogs: English defines the keys, so that a missing one does not compile. */
import type { en } from './en.ts'

type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> }

export type Messages = SameKeys<typeof en>

type Leaves<T, Path extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Path}${K}` : Leaves<T[K], `${Path}${K}.`>
}[keyof T & string]

/** The dotted name of one message, such as `login.submit`. */
export type MessageKey = Leaves<typeof en>
