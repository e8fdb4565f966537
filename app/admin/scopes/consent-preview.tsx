/** The line of the consent page, as people of each of our languages read it. */
import { scopeWording } from '#app/_ui/scope-wording.ts'
import { locales } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import { Section } from '../_ui/section.tsx'

export function ConsentPreview({ scope }: { readonly scope: Scope }) {
  const untranslated = Object.keys(scope.localized).filter(tag => !isShown(tag))
  return (
    <Section title="On the consent page" description="As saved, in each language that our pages have.">
      <div className="perms">
        {locales.map(locale => (
          <Line key={locale} scope={scope} locale={locale} />
        ))}
      </div>
      {untranslated.length > 0 && (
        <p className="small muted">
          Our pages are not in {untranslated.join(', ')} yet: those texts wait until they are.
        </p>
      )}
    </Section>
  )
}

type LineProps = { readonly scope: Scope; readonly locale: (typeof locales)[number] }

function Line({ scope, locale }: LineProps) {
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

function isShown(tag: string): boolean {
  return locales.some(locale => locale === tag.split('-')[0])
}
