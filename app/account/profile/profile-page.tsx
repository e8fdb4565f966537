/** The form with the claims that the user may change. */
import { Select, TextField } from '#app/_ui/fields.tsx'
import { ErrorSummary, Notice } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { profile as limits } from '#lib/config/limits.ts'
import { locales } from '#lib/i18n/locales.ts'
import { type MessageKey, type Translate, translate } from '#lib/i18n/translate.ts'
import type { OwnProfile } from '#lib/identity/own-profile.ts'
import type { PasskeySignals } from '#lib/identity/passkeys/passkey-names.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { ProfileField } from '#lib/protocol/registration/policies.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

export type ShownProfile = OwnProfile & {
  readonly subject: string
  /** The names of the fields that were refused. */
  readonly wrong: ReadonlySet<string>
  readonly done: string | undefined
  /** The data for the credential managers of the browser; `null`: the profile was not just changed. */
  readonly signals: PasskeySignals | null
}

export function ProfilePage({ frame, signals, ...shown }: ShownProfile & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const { wrong, values, isManaged, done } = shown
  const problems = [...values.keys()].filter(name => wrong.has(name))
  return (
    <Screen
      frame={frame}
      title={t('profile.title', { name: siteName })}
      isProblem={problems.length > 0}
      usesPasskeys={signals !== null}
    >
      <PageHead app={null} heading={t('profile.heading')}>
        <p className="small muted">{t('profile.lead')}</p>
      </PageHead>
      <Done t={t} what={done} />
      {signals !== null && <div hidden data-signals={JSON.stringify(signals)} />}
      {problems.length > 0 && (
        <ErrorSummary
          errors={problems.map(name => ({ field: name, sentence: t(`profile.problems.${name}`) }))}
        />
      )}
      {isManaged ? <Managed t={t} values={values} /> : <ProfileForm t={t} {...shown} />}
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

const doneTexts = new Map<string | undefined, MessageKey>([
  ['saved', 'profile.saved'],
  ['unchanged', 'profile.unchanged'],
  ['changed_meanwhile', 'profile.changedMeanwhile'],
])

function Done({ t, what }: { readonly t: Translate; readonly what: string | undefined }) {
  const text = doneTexts.get(what)
  if (text === undefined) return null
  return <Notice kind={what === 'changed_meanwhile' ? 'bad' : 'good'}>{t(text)}</Notice>
}

/** The values of a user whom the configuration file sets. */
function Managed({ t, values }: { readonly t: Translate } & Pick<OwnProfile, 'values'>) {
  return (
    <>
      <Notice kind="plain">{t('profile.managed')}</Notice>
      <dl className="facts">
        {[...values].map(([name, value]) => (
          <div className="fact" key={name}>
            <dt>{t(`profile.fields.${name}`)}</dt>
            <dd>{value === '' ? t('profile.none') : <bdi>{value}</bdi>}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

type ProfileFormProps = { readonly t: Translate } & Pick<
  ShownProfile,
  'values' | 'subject' | 'version' | 'wrong'
>

function ProfileForm({ t, values, subject, version, wrong }: ProfileFormProps) {
  return (
    <form className="form" method="post" action={browserAddress('/account/profile')}>
      <input type="hidden" name="user" value={subject} />
      <input type="hidden" name="version" value={version} />
      {[...values].map(([name, value]) => (
        <ProfileInput key={name} {...{ t, name, value }} isWrong={wrong.has(name)} />
      ))}
      <SubmitButton label={t('profile.save')} busy={t('profile.busy')} />
    </form>
  )
}

/** The types and purposes (WCAG 2.2, 1.3.5) of the fields with text. */
const inputs: Readonly<
  Record<
    Exclude<ProfileField, 'locale' | 'zoneinfo'>,
    { readonly type: string; readonly autoComplete: string }
  >
> = {
  name: { type: 'text', autoComplete: 'name' },
  given_name: { type: 'text', autoComplete: 'given-name' },
  family_name: { type: 'text', autoComplete: 'family-name' },
  nickname: { type: 'text', autoComplete: 'nickname' },
  birthdate: { type: 'text', autoComplete: 'bday' },
  phone_number: { type: 'tel', autoComplete: 'tel' },
  website: { type: 'url', autoComplete: 'url' },
}

type ProfileInputProps = {
  readonly t: Translate
  readonly name: ProfileField
  readonly value: string
  readonly isWrong: boolean
}

function ProfileInput({ t, name, value, isWrong }: ProfileInputProps) {
  const field = { id: name, label: t(`profile.fields.${name}`), isWrong }
  if (name === 'locale')
    return (
      <Select
        {...field}
        value={value}
        options={withNone(t, value, languages)}
        hint={t('profile.localeHint')}
      />
    )
  if (name === 'zoneinfo') return <Select {...field} value={value} options={withNone(t, value, zones())} />
  return (
    <TextField
      {...field}
      hint={name === 'birthdate' ? t('profile.birthdateHint') : undefined}
      isStart={false}
      input={{
        ...inputs[name],
        required: false,
        dir: 'auto',
        autoCapitalize: name.endsWith('name') ? 'words' : 'none',
        maxLength: limits.fieldCharacters,
        defaultValue: value,
      }}
    />
  )
}

type Options = readonly (readonly [value: string, text: string])[]

/** Each language in its own name. */
const languages: Options = locales.map(locale => [locale, translate(locale)('locale.name')])

function zones(): Options {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')].map(zone => [zone, zone.replaceAll('_', ' ')])
}

/** Adds an empty choice, and the present value unless it is a choice. */
function withNone(t: Translate, value: string, options: Options): Options {
  const isListed = value === '' || options.some(([option]) => option === value)
  return [['', t('profile.notSet')], ...(isListed ? [] : [[value, value] as const]), ...options]
}
