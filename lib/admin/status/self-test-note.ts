/** The text that accompanies every result of the self-test. */
export const selfTestNote =
  'This is not a certification. It shows that requests and responses arrive as they should through your public address.'
