export { noteTold, requireNone } from '../support/figures.ts'
