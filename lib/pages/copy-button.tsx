import type { Translate } from '#lib/i18n/translate.ts'

type CopyButtonProps = {
  readonly t: Translate
  /** The ID of the element to copy. */
  readonly of: string
  readonly name: string
  /** Whether it looks like the buttons next to it. */
  readonly isFramed?: boolean
}

/** A button that copies a text. It is hidden without script. */
export function CopyButton({ t, of, name, isFramed = false }: CopyButtonProps) {
  return (
    <button
      className={isFramed ? 'btn small' : 'btn plain small'}
      type="button"
      hidden
      data-copies={of}
      data-done={t('frame.copied')}
      aria-label={`${t('frame.copy')}: ${name}`}
    >
      {t('frame.copy')}
    </button>
  )
}
