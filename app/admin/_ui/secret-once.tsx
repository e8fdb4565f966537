/** A new secret. Only its hash is stored, so this is the only time that it is shown. */
import { CopyButton } from './copy-button.tsx'
import { Focused } from './focused.tsx'

type SecretOnceProps = { readonly title: string; readonly secret: string; readonly hint: string }

export function SecretOnce({ title, secret, hint }: SecretOnceProps) {
  return (
    <Focused className="notice good" role="status">
      <div className="secret-once">
        <p className="strong">{title}</p>
        <p className="secret-line">
          <code className="mono" id="secret-once">
            {secret}
          </code>
          <CopyButton name="the secret" text={secret} />
        </p>
        <p className="small">{hint}</p>
      </div>
    </Focused>
  )
}
