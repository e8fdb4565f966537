/** A QR code as SVG. It is always dark on a white card with a quiet zone, because scanners do not read inverted codes. */
import { encode } from 'uqr'

/** The quiet zone: four modules on each side (ISO/IEC 18004). */
const border = 4

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border })
  const path = data.map((row, y) => pathOfRow(row, y)).join('')
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** Draws each run of dark modules as one rectangle. */
function pathOfRow(row: readonly boolean[], y: number): string {
  const modules = row.map(isDark => (isDark ? '1' : '0')).join('')
  const runs = [...modules.matchAll(/1+/g)]
  return runs.map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`).join('')
}
