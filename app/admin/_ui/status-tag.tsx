/** On or off, in a word. */
export function StatusTag({
  isEnabled,
  off = 'Disabled',
}: {
  readonly isEnabled: boolean
  readonly off?: string
}) {
  return isEnabled ? <span className="tag good">Enabled</span> : <span className="tag bad">{off}</span>
}
