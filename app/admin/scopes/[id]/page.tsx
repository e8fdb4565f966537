/** The page with all settings of one scope, the clients that name it, and the actions that disable or delete it. */
import { scopeWording } from '#app/_ui/scope-wording.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { clientPath, scopePath } from '#lib/admin/page-paths.ts'
import { scopeForm } from '#lib/admin/scopes/scope-form.ts'
import { deleteScope, setScopeEnabled, updateScope } from '#lib/admin/scopes/write-scopes.ts'
import { locales } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import { type Scope, scopeFromMetadata, scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { Link } from '../../_ui/link.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { SaveBar } from '../../_ui/post-form.tsx'
import type { AdminPage } from '../../admin-page.tsx'
import { DangerZone } from '../../resource/danger-zone.tsx'
import { resourcePage, type Shown } from '../../resource/resource-pages.tsx'
import { ScopeFields } from '../scope-fields.tsx'
import { type ReadScope, scopePages } from '../scope-pages.tsx'

export default resourcePage(scopePages, 'settings', ScopeSettings)

function ScopeSettings({ page, view: scope, id: name }: Shown<ReadScope>) {
  const stored = scopeMetadataSchema.parse(scope.metadata)
  return (
    <>
      <Section title="Settings" description="Changes also apply to requests in progress.">
        <AdminForm
          page={page}
          useCase={updateScope}
          hidden={{ name, version: scope.version }}
          labels={scopeForm.labels}
          shown={scopeForm.textsOf(stored)}
        >
          <ScopeFields
            page={page}
            state={fieldState(page, updateScope, scopeForm.labels)}
            stored={stored}
            hasFixedKind={scope.is_standard}
          />
          <SaveBar />
        </AdminForm>
      </Section>
      <ConsentPreview scope={scopeFromMetadata(scope.metadata)} />
      <UsedBy scope={scope} isWhole={page.query.clients === 'all'} />
      <EndScope page={page} scope={scope} />
    </>
  )
}

/** The line of the consent page for this scope, in each language of the pages. */
function ConsentPreview({ scope }: { readonly scope: Scope }) {
  const isShown = (tag: string) => locales.some(locale => locale === tag.split('-')[0])
  const untranslated = Object.keys(scope.localized).filter(tag => !isShown(tag))
  return (
    <Section title="On the consent page" description="As saved, in each language of the pages.">
      <div className="perms">
        {locales.map(locale => (
          <ConsentLine key={locale} scope={scope} locale={locale} />
        ))}
      </div>
      {untranslated.length > 0 && (
        <p className="small muted">
          The pages are not available in {untranslated.join(', ')} yet, so these texts are not shown.
        </p>
      )}
    </Section>
  )
}

type ConsentLineProps = { readonly scope: Scope; readonly locale: (typeof locales)[number] }

function ConsentLine({ scope, locale }: ConsentLineProps) {
  const t = translate(locale)
  const { title, detail } = scopeWording(t, locale, scope)
  return (
    <div className="perm" lang={locale}>
      <span className="mono small faint">{locale}</span>
      <span className="strong">{title}</span>
      <span className="tags">
        {scope.emphasize && <span className="tag warn">⚠ {t('consent.sensitive')}</span>}
        {scope.required && <span className="tag">{t('consent.needed')}</span>}
      </span>
      {detail !== null && <span className="small muted detail">{detail}</span>}
    </div>
  )
}

/** The number of clients that are listed at first. */
const shownFirst = 10

function UsedBy({ scope, isWhole }: { readonly scope: ReadScope; readonly isWhole: boolean }) {
  const { name, used_by: usedBy } = scope
  const shown = isWhole ? usedBy.clients : usedBy.clients.slice(0, shownFirst)
  return (
    <Section
      title="Used by"
      id="used-by"
      description="Clients that name it in their settings. The overview lists those that may request every scope."
    >
      {usedBy.clients.length === 0 ? (
        <p className="small muted">
          No client names “{name}” yet. Add it to the scopes in the settings of the client that needs it.
        </p>
      ) : (
        <ul className="list flex flex-wrap gap-2">
          {shown.map(client => (
            <li key={client.client_id}>
              <Link className="tag" href={clientPath(client.client_id)}>
                {client.name}
              </Link>
            </li>
          ))}
          {shown.length < usedBy.clients.length && (
            <li className="small">
              <Link href={`${scopePath(name)}?clients=all#used-by`}>Show all: {clientCount(scope)}</Link>
            </li>
          )}
          {isWhole && usedBy.is_more && <li className="small muted">and more</li>}
        </ul>
      )}
    </Section>
  )
}

function clientCount({ used_by: { clients, is_more: isMore } }: ReadScope): string {
  return countedText({ count: clients.length, isMore }, 'client', 'clients')
}

function EndScope({ page, scope }: { readonly page: AdminPage; readonly scope: ReadScope }) {
  const { name, version, metadata, used_by: usedBy, is_standard: isStandard } = scope
  const isEnabled = metadata.enabled !== false
  const isUsed = usedBy.clients.length > 0
  return (
    <DangerZone
      page={page}
      area="scopes"
      id={name}
      hidden={{ name, version }}
      name={name}
      enabling={{
        useCase: setScopeEnabled,
        isEnabled,
        consequence: isEnabled
          ? `Requests that name “${name}” are refused from now on; ${clientCount(scope)} may send them. You can enable it again.`
          : `The ${clientCount(scope)} that may ask for “${name}” get it again.`,
      }}
      deletion={
        isStandard
          ? 'A standard scope cannot be deleted: client libraries expect it.'
          : {
              useCase: deleteScope,
              isUsed,
              consequence: isUsed
                ? `Removes it from ${clientCount(scope)}, listed above. Tokens with this scope stay valid until they expire; APIs no longer know the scope.`
                : 'No client may ask for it, so no access is lost.',
            }
      }
    />
  )
}
