import type { Session } from './session.js';
import type { Settings } from './settings.js';

/** State that all pages share. */
export interface ConsoleContext {
  readonly settings: Settings;
  /** The session of the browser tab. `current` is undefined until a user signs in. */
  readonly sessions: { current: Session | undefined };
}
