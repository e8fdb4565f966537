/** Our mark: a key, drawn in the colour of its surroundings. */
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
      <circle cx="8" cy="8" r="4.75" />
      <path d="M11.4 11.4 20 20m-3.2-3.2 2.2-2.2m-5-1 1.8-1.8" />
    </svg>
  )
}
