import { Panel } from '#app/_ui/panel.tsx'
import { readLocale } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { OwnProfile } from '#lib/identity/own-profile.ts'
import type { Frame } from '#lib/pages/frame.ts'
import type { ProfileField } from '#lib/protocol/registration/policies.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

type ProfilePanelProps = { readonly frame: Frame; readonly profile: OwnProfile }

/** The set values of the profile, with a link to its form. */
export function ProfilePanel({ frame, profile: { values, isManaged } }: ProfilePanelProps) {
  const { t } = frame
  const set = [...values].filter(([, value]) => value !== '')
  return (
    <Panel frame={frame} id="profile" title="profile.heading" hint="profile.panelLead">
      {set.length > 0 && (
        <dl className="facts">
          {set.map(([name, value]) => (
            <div className="fact" key={name}>
              <dt>{t(`profile.fields.${name}`)}</dt>
              <dd>
                <bdi>{displayText(valueText(name, value), 80)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div>
        <a className="btn small" href={browserAddress('/account/profile')}>
          {t(isManaged ? 'profile.show' : 'profile.change')}
        </a>
      </div>
    </Panel>
  )
}

/** The value in words: a language of the pages has its own name. */
function valueText(name: ProfileField, value: string): string {
  const language = name === 'locale' ? readLocale(value) : null
  return language === null ? value : translate(language)('locale.name')
}
