import type { JsonValue } from '#lib/protocol/claims.ts'

type JsonTextProps = { readonly label: string; readonly value: JsonValue }

/** JSON as a reader wants it: indented, one short array per line. */
export function JsonText({ label, value }: JsonTextProps) {
  return (
    <figure>
      <figcaption className="small faint">{label}</figcaption>
      <pre className="code" dir="ltr">
        {JSON.stringify(value, null, 2)}
      </pre>
    </figure>
  )
}
