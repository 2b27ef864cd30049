/** What other features may use of cards, in a browser too. */
export { searchFault, searchOf } from './card-search.ts'
