/** Nothing is known about the service then. */
export const consoleUnreachable = {
  title: 'The console cannot be reached',
  advice: 'Check the connection, then try again.',
} as const

export const CONSOLE_UNREACHABLE = `${consoleUnreachable.title}. ${consoleUnreachable.advice}`
