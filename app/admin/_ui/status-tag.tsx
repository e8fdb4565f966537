/** On or off, in a word: what is as it should be stays quiet. */
export function StatusTag({
  isEnabled,
  off = 'Disabled',
}: {
  readonly isEnabled: boolean
  readonly off?: string
}) {
  return isEnabled ? <span className="state">Enabled</span> : <span className="tag bad">{off}</span>
}
