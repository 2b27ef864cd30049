/** The search parameter after a card number was submitted. The number itself is not stored. */
export const REFUSED = 'refused'

/** The redirect target for any address that contains a card number. */
export const CARD_NUMBER_ADDRESS = `/cards?${REFUSED}=card-number`
