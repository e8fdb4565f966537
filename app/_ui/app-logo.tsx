/** The app's picture, or its initials on a quiet colour that stays the same for the same app. */
import { displayHref, initialsOf } from '#lib/protocol/display-text.ts'

type AppLogoProps = { readonly name: string; readonly clientId: string; readonly logoUri: string | null }

export function AppLogo({ name, clientId, logoUri }: AppLogoProps) {
  const source = displayHref(logoUri)
  if (source !== null) {
    return (
      <span className="logo plate">
        {/* biome-ignore lint/performance/noImgElement: other people's pictures do not pass through our server */}
        <img src={source} alt="" width={48} height={48} referrerPolicy="no-referrer" />
      </span>
    )
  }
  return (
    <span className="logo" data-tint={tintOf(clientId)} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

const tints = 6

function tintOf(clientId: string): number {
  return [...clientId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % tints
}
