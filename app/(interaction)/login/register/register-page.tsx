/** The page where a user creates an account. */
import { TextField } from '#app/_ui/fields.tsx'
import { type ChoiceProblem, ChosenPassword, choiceErrors } from '#app/_ui/new-password.tsx'
import { ErrorSummary, LimitedNotice, Notice } from '#app/_ui/notice.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import type { Translate } from '#lib/i18n/translate.ts'
import type {
  AskedFields,
  RegistrationFault,
  RegistrationInputName,
} from '#lib/identity/registration/entered-registration.ts'
import type { InvitationHandle, OpenRegistration } from '#lib/identity/registration/new-account.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { appOrSite, PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RegistrationField } from '#lib/protocol/registration/policies.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { CarriedFields } from '../sign-in-parts.tsx'
import { type Carried, withCarried } from '../sign-in-step.ts'

export type ShownRegistration = {
  readonly client: Client | null
  readonly carried: Carried
  readonly invitation: InvitationHandle | null
  /** `null`: no account can be created now. */
  readonly open: (OpenRegistration & { readonly fields: readonly AskedFields[] }) | null
  readonly isByInvitation: boolean
  /** The initial values of the fields. */
  readonly entered: Readonly<Record<string, string>>
  readonly faults: readonly RegistrationFault[]
  readonly problem: ChoiceProblem | null
  /** The number of characters that the password must have. */
  readonly minimum: number
}

type PageProps = ShownRegistration & { readonly frame: Frame }

export function RegisterPage(props: PageProps) {
  const { frame, client, carried, open, faults, problem } = props
  const { t, siteName, issuer } = frame
  const app = client && shownApp(client, issuer)
  return (
    <Screen
      frame={frame}
      title={t('registration.title', { name: appOrSite(client, siteName) })}
      isProblem={problem !== null || faults.length > 0}
      usesPasskeys={open !== null}
      choosesPassword={open !== null}
    >
      <PageHead app={app} heading={t('registration.heading')}>
        <p className="small muted">
          {app === null
            ? t('registration.lead', { site: siteName })
            : t('registration.leadApp', { app: app.name })}
        </p>
      </PageHead>
      {open === null ? <Closed {...props} /> : <RegistrationForm {...props} open={open} />}
      <p className="small muted center">
        <a href={browserAddress(withCarried('/login', carried))}>{t('registration.signIn')}</a>
      </p>
    </Screen>
  )
}

/** Why no account can be created. It does not reveal whether registration is closed for this app or for the site. */
function Closed({ frame: { t, siteName }, invitation, isByInvitation }: PageProps) {
  if (invitation !== null) return <Notice kind="warn">{t('registration.invitationEnded')}</Notice>
  return (
    <Notice kind="warn">
      {isByInvitation ? t('registration.needsInvitation') : t('registration.closed', { site: siteName })}
    </Notice>
  )
}

type FormProps = PageProps & { readonly open: NonNullable<ShownRegistration['open']> }

function RegistrationForm(props: FormProps) {
  const { frame, carried, invitation, open, problem, minimum } = props
  const { t, siteName } = frame
  return (
    <>
      {open.invitation !== null && (
        <Notice kind="plain">{t('registration.invited', { site: siteName })}</Notice>
      )}
      <Problems {...props} />
      <form className="form" method="post" action={browserAddress('/login/register')}>
        <CarriedFields carried={carried} />
        {invitation !== null && <input type="hidden" name="invitation" value={invitation} />}
        <input type="hidden" name="locale" value={frame.locale} />
        <input type="hidden" name="passkeys" data-creates-passkeys />
        <AddressField {...props} />
        {!open.policies.email_as_username && <UsernameField {...props} />}
        {open.fields.map(field => (
          <ProfileField key={field.name} {...props} field={field} />
        ))}
        <ChosenPassword t={t} problem={problem} minimum={minimum} username={null} />
        <Terms {...props} />
        <SubmitButton label={t('registration.submit')} busy={t('registration.busy')} />
      </form>
    </>
  )
}

/** The summary of the faults above the form (UXC-11). */
function Problems({ frame: { t }, faults, ...choice }: FormProps) {
  if (choice.problem?.kind === 'limited') return <LimitedNotice t={t} wait={choice.problem.wait} />
  const own = faults.map(fault => ({ field: fault.input, sentence: sentenceOf(t, fault) }))
  const errors = [...own, ...choiceErrors({ t, ...choice })]
  return errors.length > 0 && <ErrorSummary errors={errors} />
}

function AddressField({ frame: { t }, open, entered, faults }: FormProps) {
  const isName = open.policies.email_as_username
  const fixed = open.invitation?.email ?? null
  const hint = isName ? t('registration.emailIsName') : t('registration.emailHint')
  return (
    <TextField
      id="email"
      label={t('registration.email')}
      hint={open.verification === 'proven' ? undefined : hint}
      error={errorOf(t, faults, 'email')}
      isStart={fixed === null}
      input={{
        type: 'email',
        dir: 'ltr',
        maxLength: 255,
        readOnly: fixed !== null,
        defaultValue: entered.email,
        autoComplete: isName ? 'username' : 'email',
        enterKeyHint: 'next',
      }}
    />
  )
}

function UsernameField({ frame: { t }, entered, faults }: FormProps) {
  return (
    <TextField
      id="username"
      label={t('registration.username')}
      hint={t('registration.usernameHint')}
      error={errorOf(t, faults, 'username')}
      isStart={false}
      input={{
        type: 'text',
        dir: 'auto',
        maxLength: 64,
        defaultValue: entered.username,
        autoComplete: 'username',
        enterKeyHint: 'next',
      }}
    />
  )
}

/** The purpose of each input (WCAG 1.3.5). */
const inputOfField = {
  name: { type: 'text', autoComplete: 'name' },
  given_name: { type: 'text', autoComplete: 'given-name' },
  family_name: { type: 'text', autoComplete: 'family-name' },
  nickname: { type: 'text', autoComplete: 'nickname' },
  phone_number: { type: 'tel', autoComplete: 'tel' },
  birthdate: { type: 'date', autoComplete: 'bday' },
  website: { type: 'url', autoComplete: 'url' },
} as const satisfies Record<RegistrationField, { type: string; autoComplete: string }>

/** Names begin with a capital letter on the keyboards of phones. */
const capitalized: ReadonlySet<RegistrationField> = new Set(['name', 'given_name', 'family_name'])

function ProfileField({
  frame: { t },
  entered,
  faults,
  field: { name, isRequired },
}: FormProps & { readonly field: AskedFields }) {
  const label = t(`registration.fields.${name}`)
  return (
    <TextField
      id={name}
      label={isRequired ? label : t('login.optional', { label })}
      error={errorOf(t, faults, name)}
      isStart={false}
      input={{
        ...inputOfField[name],
        dir: 'auto',
        required: isRequired,
        maxLength: 200,
        defaultValue: entered[name],
        autoCapitalize: capitalized.has(name) ? 'words' : 'none',
        enterKeyHint: 'next',
      }}
    />
  )
}

function Terms({ frame: { t }, open, faults }: FormProps) {
  const { terms_uri: href, terms_version: version } = open.policies
  if (href === null) return null
  const error = errorOf(t, faults, 'terms')
  return (
    <div>
      <input type="hidden" name="terms_version" value={version} />
      <label className="check">
        <input
          type="checkbox"
          id="terms"
          name="terms"
          value="yes"
          required
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : 'terms-error'}
        />
        <span>
          <Sentence t={t} text="registration.terms" placeholder="terms">
            <a href={browserAddress(href)} target="_blank" rel="noreferrer">
              {t('registration.termsLink')}
            </a>
          </Sentence>
        </span>
      </label>
      {error !== undefined && (
        <p className="small text-bad" id="terms-error">
          {error}
        </p>
      )}
    </div>
  )
}

/** Returns the sentence about the fault of an input; `undefined` if it has none. */
function errorOf(
  t: Translate,
  faults: readonly RegistrationFault[],
  input: RegistrationInputName,
): string | undefined {
  const fault = faults.find(each => each.input === input)
  return fault && sentenceOf(t, fault)
}

function sentenceOf(t: Translate, { input, kind }: RegistrationFault): string {
  if (input === 'terms')
    return t(`registration.problems.${kind === 'missing' ? 'terms_missing' : 'terms_changed'}`)
  const label = labelOf(t, input)
  if (kind === 'missing') return t('registration.problems.missing', { label })
  if (kind === 'taken') return t('registration.problems.username_taken')
  switch (input) {
    case 'email':
    case 'username':
    case 'phone_number':
    case 'birthdate':
    case 'website':
      return t(`registration.problems.${input}_invalid`)
    default:
      return t('registration.problems.invalid', { label })
  }
}

function labelOf(t: Translate, input: Exclude<RegistrationInputName, 'terms'>): string {
  return input === 'email' || input === 'username'
    ? t(`registration.${input}`)
    : t(`registration.fields.${input}`)
}
