import type { Translate } from '#lib/i18n/translate.ts'

type CopyButtonProps = {
  readonly t: Translate
  /** The id of the element to copy. */
  readonly of: string
  readonly name: string
}

/** Comes to life with script only. */
export function CopyButton({ t, of, name }: CopyButtonProps) {
  return (
    <button
      className="btn plain small"
      type="button"
      hidden
      data-copies={of}
      data-done={t('playground.copied')}
      aria-label={`${t('playground.copy')}: ${name}`}
    >
      {t('playground.copy')}
    </button>
  )
}
