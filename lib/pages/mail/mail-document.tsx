/** The document of a mail, in HTML and as plain text, from one content. */
import { renderDocument } from '../render.ts'

/**
 * The content of a mail. Every part is plain text, so that a chosen name is never markup; only the actions are
 * links.
 */
export type MailContent = {
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly siteName: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** A button that leads to a page of this server. */
  readonly action?: { readonly label: string; readonly href: string }
  /** A second link, below the button. */
  readonly otherAction?: { readonly label: string; readonly href: string }
  /** A code to type on another device. */
  readonly code?: string
  /** Further sentences, after the code and the button. */
  readonly closing?: readonly string[]
  /** The reason why the receiver gets this mail. */
  readonly reason: string
}

export function mailHtml(content: MailContent): string {
  return renderDocument(<MailDocument {...content} />)
}

/** Writes the content as plain text, with the address of the action on a separate line. */
export function mailText(content: MailContent): string {
  const { siteName, paragraphs, action, otherAction, code, closing = [], reason } = content
  const parts = [
    ...paragraphs,
    ...(code === undefined ? [] : [code]),
    ...[action, otherAction].flatMap(link => (link === undefined ? [] : [`${link.label}:\n${link.href}`])),
    ...closing,
  ]
  return `${parts.join('\n\n')}\n\n-- \n${siteName}\n${reason}\n`
}

const styles = {
  body: {
    margin: 0,
    padding: '24px 12px',
    backgroundColor: '#f6f4ef',
    color: '#1b1b1f',
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif',
    fontSize: '16px',
    lineHeight: 1.5,
  },
  card: {
    maxWidth: '520px',
    margin: '0 auto',
    padding: '28px',
    backgroundColor: '#ffffff',
    borderRadius: '12px',
    border: '1px solid #e3dfd6',
  },
  site: { margin: '0 0 20px', fontSize: '14px', fontWeight: 600, color: '#57554f' },
  heading: { margin: '0 0 16px', fontSize: '22px', lineHeight: 1.25 },
  paragraph: { margin: '0 0 16px' },
  closing: { margin: '0 0 12px', fontSize: '14px', color: '#57554f' },
  button: {
    display: 'inline-block',
    padding: '12px 20px',
    borderRadius: '8px',
    backgroundColor: '#2b4acb',
    color: '#ffffff',
    fontWeight: 600,
    textDecoration: 'none',
  },
  link: { color: '#2b4acb', fontWeight: 600 },
  code: { margin: '0 0 16px', fontFamily: 'ui-monospace, Menlo, Consolas, monospace', fontSize: '26px' },
  reason: { maxWidth: '520px', margin: '16px auto 0', fontSize: '13px', color: '#6b6862' },
} as const

function MailDocument({
  locale,
  direction,
  siteName,
  subject,
  paragraphs,
  action,
  otherAction,
  code,
  closing = [],
  reason,
}: MailContent) {
  return (
    <html lang={locale} dir={direction}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{subject}</title>
      </head>
      <body style={styles.body}>
        <div style={styles.card}>
          <p style={styles.site}>{siteName}</p>
          <h1 style={styles.heading}>{subject}</h1>
          {paragraphs.map(paragraph => (
            <p key={paragraph} style={styles.paragraph}>
              {paragraph}
            </p>
          ))}
          {code !== undefined && <p style={styles.code}>{code}</p>}
          {action !== undefined && (
            <p style={styles.paragraph}>
              <a href={action.href} style={styles.button}>
                {action.label}
              </a>
            </p>
          )}
          {otherAction !== undefined && (
            <p style={styles.paragraph}>
              <a href={otherAction.href} style={styles.link}>
                {otherAction.label}
              </a>
            </p>
          )}
          {closing.map(paragraph => (
            <p key={paragraph} style={styles.closing}>
              {paragraph}
            </p>
          ))}
        </div>
        <p style={styles.reason}>{reason}</p>
      </body>
    </html>
  )
}
