/** A secret that was just made. It is stored as a hash only, so this is the one time it can be seen. */
import { CopyButton } from './copy-text.tsx'

type SecretOnceProps = { readonly title: string; readonly secret: string; readonly hint: string }

export function SecretOnce({ title, secret, hint }: SecretOnceProps) {
  return (
    <div className="notice good" role="status" tabIndex={-1} data-focus="">
      <div className="secret-once">
        <p className="strong">{title}</p>
        <p className="secret-line">
          <code className="mono" id="secret-once">
            {secret}
          </code>
          <CopyButton of="secret-once" name="the secret" />
        </p>
        <p className="small">{hint}</p>
      </div>
    </div>
  )
}
