import 'server-only'

export { type FoundLine, findLines } from './line-search.ts'
