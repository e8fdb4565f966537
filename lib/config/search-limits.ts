/** The search for users and clients by words. The index has a row for each word: these limit its size. */

export const search = {
  /** Of one text, stored or searched for. */
  characters: 500,
  termCharacters: 64,
  termsStored: 12,
  wordsAsked: 5,
  /** Rows of the index that one statement reads; a search begins with the word that the fewest rows have. */
  examined: 8000,
  /** Events that are counted to find the condition that the fewest of them meet. */
  eventsWeighed: 2000,
  /** How many times `examined` rows are read before a page is shown incomplete. */
  stretches: 2,
  /** ITU-T E.164: the lowest number of digits of a subscriber's number. */
  phoneDigits: 7,
} as const
