import type { JsonValue } from '#lib/protocol/claims.ts'

type JsonTextProps = { readonly label: string; readonly value: JsonValue }

/** JSON as a reader wants it. */
export function JsonText({ label, value }: JsonTextProps) {
  return (
    <figure>
      <figcaption className="small faint">{label}</figcaption>
      <pre className="code" dir="ltr">
        {readable(value)}
      </pre>
    </figure>
  )
}

/** Indented, with arrays of plain values on one line. */
function readable(value: JsonValue): string {
  return JSON.stringify(value, null, 2).replace(/\[[^[\]{}]*\]/g, array => array.replace(/\s*\n\s*/g, ' '))
}
