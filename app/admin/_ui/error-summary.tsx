/** Everything that is wrong with a form, at its head: takes the focus and leads to each field. */
type ErrorSummaryProps = {
  readonly errors: ReadonlyArray<{ readonly path: string; readonly message: string }>
}

export function ErrorSummary({ errors }: ErrorSummaryProps) {
  if (errors.length === 0) return null
  return (
    <div className="notice bad" role="alert" tabIndex={-1} data-focus="">
      <div>
        <p className="strong">
          {errors.length === 1 ? 'One thing is not right' : `${errors.length} things are not right`}
        </p>
        <ul className="error-list">
          {errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === '' ? message : <a href={`#${fieldOf(path)}`}>{sentence(path, message)}</a>}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The field's name without what the input puts around it: `metadata.redirect_uris.1` is the field `redirect_uris`. */
function fieldOf(path: string): string {
  const steps = path.split('.').filter(step => !/^\d+$/.test(step))
  return steps.find(step => step !== 'metadata') ?? path
}

function sentence(path: string, message: string): string {
  const line = /\.(\d+)$/.exec(path)?.[1]
  const name = fieldOf(path).replaceAll('_', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${line === undefined ? '' : `, line ${Number(line) + 1}`}: ${message}`
}
