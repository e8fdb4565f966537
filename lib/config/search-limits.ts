/** Finding people and clients by words. The index has a row for each word: these bound its size. */

export const search = {
  /** Of one text, stored or asked. */
  characters: 500,
  termCharacters: 64,
  termsStored: 12,
  wordsAsked: 5,
  /** Rows of the index that one statement looks at; a search begins with the word that fewest rows have. */
  examined: 8000,
  /** Events that are counted to learn which condition fewest meet. */
  eventsWeighed: 2000,
  /** So many times that before a page goes out with what it has. */
  stretches: 2,
  /** ITU-T E.164: a subscriber's number has at least so many. */
  phoneDigits: 7,
} as const
