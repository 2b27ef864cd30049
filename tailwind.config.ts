import type { Config } from 'tailwindcss'

const role = (name: string): string => `var(--${name})`

/** Colours by role only: those of shadcn/ui, and what states mean. `app/globals.css` gives each its value in both themes. */
export default {
  content: ['./app/**/*.tsx', './components/**/*.tsx'],
  theme: {
    // `wide`: room for the rail's words and for two columns.
    screens: { sm: '640px', md: '768px', lg: '1024px', wide: '1101px' },
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      // The same in both themes: the ground of a QR code, for example.
      white: '#fff',
      black: '#000',
      background: role('background'),
      foreground: role('foreground'),
      card: { DEFAULT: role('card'), foreground: role('card-foreground') },
      popover: { DEFAULT: role('popover'), foreground: role('popover-foreground') },
      primary: { DEFAULT: role('primary'), foreground: role('primary-foreground') },
      secondary: { DEFAULT: role('secondary'), foreground: role('secondary-foreground') },
      muted: { DEFAULT: role('muted'), foreground: role('muted-foreground') },
      accent: { DEFAULT: role('accent'), foreground: role('accent-foreground') },
      destructive: { DEFAULT: role('destructive'), foreground: role('destructive-foreground') },
      border: role('border'),
      input: role('input'),
      ring: role('ring'),
      overlay: role('overlay'),
      good: { DEFAULT: role('good'), wash: role('good-wash') },
      working: { DEFAULT: role('working'), wash: role('working-wash') },
      attention: { DEFAULT: role('attention'), wash: role('attention-wash') },
      danger: { DEFAULT: role('danger'), wash: role('danger-wash') },
      sender: { DEFAULT: role('sender'), wash: role('sender-wash') },
      recipient: { DEFAULT: role('recipient'), wash: role('recipient-wash') },
      mark: {
        1: role('mark-1'),
        2: role('mark-2'),
        3: role('mark-3'),
        4: role('mark-4'),
        5: role('mark-5'),
        6: role('mark-6'),
      },
      unknown: { DEFAULT: role('unknown'), wash: role('unknown-wash') },
    },
    fontFamily: {
      sans: ['Inter Variable', 'ui-sans-serif', 'system-ui', 'sans-serif'],
      mono: ['JetBrains Mono Variable', 'ui-monospace', 'monospace'],
    },
    fontSize: {
      xs: ['12px', '16px'],
      sm: ['13px', '18px'],
      base: ['14px', '20px'],
      lg: ['16px', '24px'],
      xl: ['20px', '28px'],
      figure: ['26px', '32px'],
    },
    borderRadius: { none: '0', xs: '2px', sm: '4px', DEFAULT: '6px', md: '7px', lg: '9px', xl: '12px', full: '9999px' },
  },
} satisfies Config
