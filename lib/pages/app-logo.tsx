/** The app's picture, or its initials on a quiet colour that stays the same for the same app. */
import { initialsOf } from '#lib/protocol/text/display-text.ts'

type AppLogoProps = { readonly name: string; readonly clientId: string; readonly logoUri: string | null }

export function AppLogo({ name, clientId, logoUri }: AppLogoProps) {
  if (logoUri !== null) {
    return (
      <span className="logo plate">
        {/* biome-ignore lint/performance/noImgElement: the optimiser is off */}
        <img src={logoUri} alt="" width={48} height={48} />
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
