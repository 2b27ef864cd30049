import 'server-only'

export { findCases } from './find-cases.ts'
