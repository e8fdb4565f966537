import { type Carried, carriedFields } from './addresses.ts'

/** The same for forms. */
export function CarriedFields({ carried }: { readonly carried: Carried }) {
  return carriedFields(carried).map(([name, value]) => (
    <input type="hidden" key={name} name={name} value={value} />
  ))
}
