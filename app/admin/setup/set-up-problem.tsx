/** What is wrong, in one place; each problem leads to its field. */
import type { SetUpAttempt } from '#lib/http/step-cookies.ts'

export function SetUpProblem({ errors }: Pick<SetUpAttempt, 'errors'>) {
  return (
    <div className="notice bad" id="problem" role="alert" tabIndex={-1} data-focus="">
      <ul className="list">
        {errors.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path === '' ? (
              message
            ) : (
              <a href={`#${path}`}>
                {fieldNames[path] ?? path}: {message}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const fieldNames: Readonly<Record<string, string>> = {
  username: 'User name',
  name: 'Your name',
  password: 'Password',
}
