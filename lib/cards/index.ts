/** The public interface of cards that is safe in a browser. */
export { searchFault, searchOf } from './card-search.ts'
