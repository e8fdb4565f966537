/** Everything that is wrong with a form, at its head: takes the focus and leads to each field. */
import { type FieldLabels, type FieldPlace, fieldPlace, inFormOrder } from './field-labels.ts'
import { Focused } from './focused.tsx'

type ErrorSummaryProps = {
  readonly errors: ReadonlyArray<{ readonly path: string; readonly message: string }>
  readonly labels?: FieldLabels
}

export function ErrorSummary({ errors, labels = {} }: ErrorSummaryProps) {
  if (errors.length === 0) return null
  return (
    <Focused className="notice bad" role="alert">
      <div>
        <p className="strong">
          {errors.length === 1 ? 'One thing is not right' : `${errors.length} things are not right`}
        </p>
        <ul className="error-list">
          {inFormOrder(errors, labels).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === '' ? message : <Told {...fieldPlace(path, labels)} message={message} />}
            </li>
          ))}
        </ul>
      </div>
    </Focused>
  )
}

function Told({ id, label, line, message }: FieldPlace & { readonly message: string }) {
  return <a href={`#${id}`}>{`${label}${line === null ? '' : `, line ${line}`}: ${message}`}</a>
}
