/** Our mark: a key, drawn in the colour of its surroundings. */
import { keyBlade, keyBow } from '#lib/http/key-mark.ts'

export function KeyMark({ size }: { readonly size: number }) {
  return (
    <svg
      className="mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <circle {...keyBow} />
      <path d={keyBlade} />
    </svg>
  )
}
