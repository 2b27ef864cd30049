/** In the address of the search: a card number was asked for, of which nothing is kept. */
export const REFUSED = 'refused'

/** Where an address with a card number in it leads. */
export const CARD_NUMBER_ADDRESS = `/cards?${REFUSED}=card-number`
