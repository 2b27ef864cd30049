/** Public interface; safe in a browser. */
export { merchantIdFault, nameOf } from './terminal.ts'
