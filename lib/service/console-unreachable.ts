/** Words for a page that gets no answer of its console: nothing is known of the service then. */
export const consoleUnreachable = {
  title: 'The console cannot be reached',
  advice: 'Check the connection, then try again.',
} as const

export const CONSOLE_UNREACHABLE = `${consoleUnreachable.title}. ${consoleUnreachable.advice}`
