/** Public interface; safe in a browser. */
export { searchFault, searchOf } from './card-search.ts'
